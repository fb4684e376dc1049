import { type Forward, RpcFailure } from '@stanza/runtime';
import { z } from 'zod';
import { ifMatchOf, withTag } from '../http/entity-tags.ts';
import { pageAnswer } from '../http/pages.ts';
import { type RequestContext, required, type Step } from '../http/request-context.ts';
import { scimAnswer, speaksScim } from '../http/scim.ts';
import { unanswered } from './unanswered.ts';

/** Older clients of some lists read another collection key, and the pagination at top level. */
const withLegacyKey = (key: string, json: Uint8Array): string => {
  const reply: unknown = JSON.parse(Buffer.from(json).toString());
  const list = z.looseObject({ data: z.unknown(), pagination: z.looseObject({}) }).parse(reply);
  return JSON.stringify({ ...list, [key]: list.data, ...list.pagination });
};

/** Calls the service of the operation, and passes its JSON on unchanged, or as a page. */
export const call =
  (forward: Forward): Step =>
  async (requestContext: RequestContext) => {
    const { operation, request, context } = requestContext;
    try {
      const ifMatch = ifMatchOf(operation, request);
      const asked = ifMatch === undefined ? context : { ...context, ifMatch };
      const json = await forward(operation, required(requestContext.input, 'input'), asked);
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
