import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
});
const attributeSchema = z.object({
  key: z.string(),
  value: z.object({ stringValue: z.string().optional() }),
});
const exportSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});

/** A span as it was exported. */
export interface Span extends z.output<typeof spanSchema> {
  /** Without `stanza-`. */
  service: string;
}

/** An OTLP endpoint that keeps what it is sent. */
export interface Collector {
  readonly spans: readonly Span[];
  /** Everything that was sent, as it came. */
  readonly text: string;
  /** What makes a stack send its traces here, soon after they end. */
  readonly env: Record<string, string>;
  close(): void;
}

const spansOf = (body: string): Span[] =>
  exportSchema.parse(JSON.parse(body)).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = resource.attributes.find((it) => it.key === 'service.name')?.value.stringValue ?? '';
    const service = name.replace('stanza-', '');
    return scopeSpans.flatMap((it) => it.spans).map((span) => ({ ...span, service }));
  });

/** Starts a collector on this machine. */
export const startCollector = async (): Promise<Collector> => {
  const spans: Span[] = [];
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    bodies.push(body);
    spans.push(...spansOf(body));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    spans,
    get text() {
      return bodies.join('\n');
    },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_BSP_SCHEDULE_DELAY: '200' },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
