import type { Logger } from './log.ts';
import type { Tracing } from './spans.ts';

export type { SpanAttributes, Tracing } from './spans.ts';

const traceparentFormat = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Trace id of a traceparent; undefined when it is malformed. */
export const traceIdOf = (traceparent: string | undefined): string | undefined =>
  traceparentFormat.exec(traceparent ?? '')?.[1];

/** Disabled tracing: an incoming traceparent is passed on unchanged. */
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

/** Tracing as configured by the environment. OpenTelemetry is loaded only when it is on. */
export const tracingFromEnvironment = async (
  service: string,
  env: Record<string, string | undefined>,
  log: Logger,
): Promise<Tracing> => {
  if (!isWanted(env)) return noTracing;
  const { startOtel } = await import('./tracing-otel.ts');
  return startOtel({ service, log });
};
