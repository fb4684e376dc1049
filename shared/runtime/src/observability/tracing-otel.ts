import { setTimeout as pause } from 'node:timers/promises';
import {
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from './log.ts';
import type { SpanAttributes, Tracing } from './spans.ts';

const format = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const parse = (traceparent: string | undefined): SpanContext | undefined => {
  const [, traceId, spanId, flags] = format.exec(traceparent ?? '') ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
};

const write = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

const remoteParent = (traceparent: string | undefined): Context => {
  const parent = parse(traceparent);
  return parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
};

interface SpanFacts {
  name: string;
  kind: SpanKind;
  attributes: SpanAttributes;
  parent: Context;
}

const inSpan = async <T>(tracer: Tracer, facts: SpanFacts, run: (span: Span) => Promise<T>): Promise<T> => {
  const { name, kind, attributes, parent } = facts;
  const span = tracer.startSpan(name, { kind, attributes }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), () => run(span));
  } catch (err) {
    // The name only: messages may quote a customer's text.
    span.setStatus({ code: SpanStatusCode.ERROR, message: err instanceof Error ? err.name : 'error' });
    throw err;
  } finally {
    span.end();
  }
};

/** Logs once that spans do not reach their destination, and once that they do again. */
const reported = (exporter: SpanExporter, log: Logger): SpanExporter => {
  let isLost = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error && !isLost) log.warn({ err: result.error }, 'traces could not be sent');
        if (!result.error && isLost) log.info('traces are sent again');
        isLost = result.error !== undefined;
        done(result);
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
};

/** Milliseconds that the last spans may take: a collector that is away must hold up no shutdown. */
const maxCloseMs = 2_000;

/** Options of {@link startOtel}. */
export interface OtelOptions {
  /** Name of the service in the trace. */
  service: string;
  log: Logger;
  /** Destination of ended spans; the OTLP endpoint of the standard environment variables unless given. */
  exporter?: SpanExporter;
}

/** Starts tracing with OpenTelemetry. Sampling and the exporter are set by the standard `OTEL_*` variables. */
export const startOtel = ({ service, log, exporter }: OtelOptions): Tracing => {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': `stanza-${service}` }),
    spanProcessors: [
      exporter
        ? new SimpleSpanProcessor(reported(exporter, log))
        : new BatchSpanProcessor(reported(new OTLPTraceExporter(), log)),
    ],
  });
  // Registers the context manager that carries the current span across awaits. Spans come from this provider, not from
  // the global one.
  provider.register();
  const tracer = provider.getTracer('@stanza/runtime');
  const internal = (name: string, attributes: SpanAttributes): SpanFacts => ({
    name,
    kind: SpanKind.INTERNAL,
    attributes,
    parent: context.active(),
  });
  return {
    span: (name, attributes, run) => inSpan(tracer, internal(name, attributes), run),
    entry: (name, traceparent, attributes, run) => {
      const facts = { name, kind: SpanKind.SERVER, attributes, parent: remoteParent(traceparent) };
      return inSpan(tracer, facts, (span) => run(write(span.spanContext())));
    },
    client: (target, call, run) => {
      const active = context.active();
      const parent = trace.getSpan(active) ? active : remoteParent(call.traceparent);
      const attributes = { 'rpc.system': 'nats', 'rpc.method': target };
      return inSpan(tracer, { name: target, kind: SpanKind.CLIENT, attributes, parent }, (span) =>
        run({ ...call, traceparent: write(span.spanContext()) }),
      );
    },
    current: () => {
      const span = trace.getSpan(context.active());
      return span && write(span.spanContext());
    },
    close: async () => {
      // Spans that are lost are logged where that is found, and do not make a shutdown unclean.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, pause(maxCloseMs, undefined, { ref: false })]);
    },
  };
};
