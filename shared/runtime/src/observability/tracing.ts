import type { CallContext } from '../rpc/context.ts';

const traceparentFormat = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Id of the trace that a traceparent names; undefined when it is none. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceparentFormat.exec(traceparent ?? '')?.[1];

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

/** Tracing that is off: a traceparent that came in is passed on unchanged. */
export const noTracing: Tracing = {
  span: (_name, _attributes, run) => run(),
  entry: (_name, traceparent, _attributes, run) => run(traceparent),
  client: (_target, context, run) => run(context),
  current: () => undefined,
  close: () => Promise.resolve(),
};

/** True when the environment names an OpenTelemetry endpoint for traces. */
const isWanted = (env: Record<string, string | undefined>): boolean =>
  env.OTEL_SDK_DISABLED !== 'true' &&
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);

/** Tracing as the environment wants it; OpenTelemetry is not even loaded when it wants none. */
export const tracingFromEnvironment = async (
  service: string,
  env: Record<string, string | undefined>,
): Promise<Tracing> => {
  if (!isWanted(env)) return noTracing;
  const { startOtel } = await import('./tracing-otel.ts');
  return startOtel({ service });
};
