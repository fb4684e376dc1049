import type { Operation, ReplyOf } from '@stanza/contracts';
import {
  type AnyHandler,
  type CallContext,
  type Handler,
  type RpcClient,
  silentLogger,
} from '@stanza/runtime';

const serve = async (handler: AnyHandler, input: unknown, context: CallContext) => {
  const reply = await handler.serve({
    json: JSON.stringify(input),
    context,
    signal: () => new AbortController().signal,
    log: silentLogger,
  });
  const json = JSON.parse(reply);
  handler.operation.reply.parse(json);
  return json;
};

/**
 * Runs an operation of a service in this process as it would run over the wire: request and reply are JSON, and the
 * reply must fit the operation's schema.
 */
export const runInProcess = <O extends Operation>(
  handler: Handler<O>,
  input: unknown,
  context: CallContext,
): Promise<ReplyOf<O>> => serve(handler, input, context);

/** A call that was made of another service. */
export interface MadeCall {
  operation: string;
  input: unknown;
  context: CallContext;
}

/** Calls other services' handlers in this process, and records the calls. */
export interface InProcessRpc extends RpcClient {
  readonly calls: readonly MadeCall[];
}

/** A client that reaches only the given handlers. */
export const inProcessRpc = (handlers: readonly AnyHandler[]): InProcessRpc => {
  const calls: MadeCall[] = [];
  return {
    calls,
    call: async (operation, input, context) => {
      calls.push({ operation: operation.id, input, context });
      const handler = handlers.find((it) => it.operation.id === operation.id);
      if (!handler) throw new Error(`no handler for ${operation.id}`);
      return serve(handler, input, context);
    },
  };
};
