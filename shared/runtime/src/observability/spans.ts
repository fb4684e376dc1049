/** Values of a span; never secrets, message content or other data of a customer. */
export type SpanAttributes = Record<string, string | number | boolean>;

/** The context of a call, as far as its trace goes. */
export interface TracedContext {
  traceparent?: string;
}

/** Spans of one process. Without a configured endpoint, every function only calls `run`. */
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
  /** Runs an outgoing call in a span; `run` gets the context with the traceparent to send. */
  client<T, C extends TracedContext>(target: string, context: C, run: (context: C) => Promise<T>): Promise<T>;
  /** Traceparent of the current span, when there is one. */
  current(): string | undefined;
  /** Flushes outstanding spans. */
  close(): Promise<void>;
}
