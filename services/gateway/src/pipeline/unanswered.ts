import { CodedError, changesNothing, type HttpOperation } from '@stanza/contracts';
import type { RpcFailure } from '@stanza/runtime';

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
