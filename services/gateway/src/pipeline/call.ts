import { CodedError, type HttpOperation } from '@stanza/contracts';
import { type RpcClient, RpcFailure } from '@stanza/runtime';
import { type Exchange, required, type Step } from '../exchange.ts';

/** Seconds after which a part of the system that did not answer is worth another try. */
const retryAfter = 1;

const unanswered = (operation: HttpOperation, failure: RpcFailure): CodedError => {
  const cause = { cause: failure };
  if (!failure.mayHaveRun) {
    const message = `The ${operation.service} service cannot take the request at the moment; nothing was done.`;
    return new CodedError('service_unavailable', { message, retry_after: retryAfter }, cause);
  }
  if (operation.lostAnswer !== 'service_unavailable') return new CodedError(operation.lostAnswer, {}, cause);
  const message =
    operation.method === 'GET'
      ? `The ${operation.service} service did not answer in time.`
      : `The ${operation.service} service did not answer in time; the change may have happened.`;
  return new CodedError('service_unavailable', { message, retry_after: retryAfter }, cause);
};

/** Older clients of some lists read another collection key, and the pagination at top level. */
const withLegacyKeys = (operation: HttpOperation, reply: unknown): unknown => {
  if (operation.legacyListKey === undefined || typeof reply !== 'object' || reply === null) return reply;
  const data = 'data' in reply ? reply.data : [];
  const pagination = 'pagination' in reply ? reply.pagination : {};
  return Object.assign({}, reply, { [operation.legacyListKey]: data }, pagination);
};

/** Asks the service that owns the answer. */
export const call =
  (rpc: RpcClient): Step =>
  async (exchange: Exchange) => {
    const { operation, context } = exchange;
    try {
      const reply: unknown = await rpc.call(operation, required(exchange.input, 'input'), context);
      exchange.answer = { status: operation.status, body: JSON.stringify(withLegacyKeys(operation, reply)) };
    } catch (error) {
      throw error instanceof RpcFailure ? unanswered(operation, error) : error;
    }
  };
