import type { CallContext } from '../rpc/context.ts';

/** Values that a span may carry; never secrets, message content or anything of a customer's. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** Spans of one process. When no endpoint is configured, every function calls through and nothing is made. */
export interface Tracing {
  /** Runs `run` in a span below the current one. */
  span<T>(name: string, attributes: SpanAttributes, run: () => Promise<T>): Promise<T>;
  /**
   * Runs `run` in a span that continues a trace from outside, or begins one; `run` receives the traceparent to pass on.
   */
  entry<T>(
    name: string,
    traceparent: string | undefined,
    attributes: SpanAttributes,
    run: (traceparent: string | undefined) => Promise<T>,
  ): Promise<T>;
  /** Runs an outgoing call in a span; `run` receives the context with the traceparent to send. */
  client<T>(target: string, context: CallContext, run: (context: CallContext) => Promise<T>): Promise<T>;
  /** Traceparent of the current span, when there is one. */
  current(): string | undefined;
  /** Sends what is outstanding. */
  close(): Promise<void>;
}
