import { CodedError, changesNothing, type HttpOperation, pushEvents } from '@stanza/contracts';
import { type Forward, RpcFailure } from '@stanza/runtime';
import { z } from 'zod';
import { ifMatchOf, pageAnswer, scimAnswer, speaksScim, withTag } from '../http/answers.ts';
import { HungUp, type RequestContext, required, type Step } from '../http/request-context.ts';
import { packing } from './pack-push.ts';

/** Older clients of some lists read another collection key, and the pagination at top level. */
const withLegacyKey = (key: string, json: Uint8Array): string => {
  const reply: unknown = JSON.parse(Buffer.from(json).toString());
  const list = z.looseObject({ data: z.unknown(), pagination: z.looseObject({}) }).parse(reply);
  return JSON.stringify({ ...list, [key]: list.data, ...list.pagination });
};

/** Calls the service of the operation, and passes its JSON on unchanged, or as a page. */
export const call = (forward: Forward): Step => {
  const packed = packing(forward);
  return async (requestContext: RequestContext) => {
    const { operation, request, response, context } = requestContext;
    // The client may have gone while its key was claimed, or while it waited for other changes of the resource.
    if (response.destroyed) throw new HungUp('the client has gone');
    try {
      const ifMatch = ifMatchOf(operation, request);
      const asked = ifMatch === undefined ? context : { ...context, ifMatch };
      const give = operation.id === pushEvents.id ? packed : forward;
      const json = await give(operation, required(requestContext.input, 'input'), asked);
      if (operation.answers === 'page') {
        requestContext.answer = pageAnswer(operation.status, json);
        return;
      }
      if (speaksScim(operation)) {
        requestContext.answer = scimAnswer(operation.status, json);
        return;
      }
      const body =
        operation.legacyListKey === undefined ? json : withLegacyKey(operation.legacyListKey, json);
      requestContext.answer = withTag(operation, request, { status: operation.status, body });
    } catch (error) {
      throw error instanceof RpcFailure ? unanswered(operation, error) : error;
    }
  };
};

/** Seconds after which a call to an unavailable service may be retried. */
const retryAfter = 1;

const whatHappened = ({ kind }: RpcFailure): string =>
  kind === 'disconnected'
    ? 'was asked, and the connection broke before its answer'
    : 'did not answer in time';

/** The error for a request with a lost answer: the operation declares it. A request that did not run is refused. */
export const unanswered = (operation: HttpOperation, failure: RpcFailure): CodedError => {
  const cause = { cause: failure };
  if (!failure.mayHaveRun) {
    const message = `The ${operation.service} service is unavailable at the moment; nothing was done.`;
    return new CodedError(
      'service_unavailable',
      { message, retry_after: retryAfter, nothing_done: true },
      cause,
    );
  }
  if (operation.lostAnswer !== 'service_unavailable') {
    const { lostMessage: message } = operation;
    return new CodedError(operation.lostAnswer, message === undefined ? {} : { message }, cause);
  }
  const consequence = changesNothing(operation) ? '' : '; the change may have happened';
  const message = `The ${operation.service} service ${whatHappened(failure)}${consequence}.`;
  return new CodedError('service_unavailable', { message, retry_after: retryAfter }, cause);
};
