import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compileTemplate } from '@stanza/contracts';
import { type Stack, startStack } from '@stanza/stack';
import { z } from 'zod';
import { openWorld, type World } from '../support/stack.ts';
import { liveTemplate } from '../support/templates.ts';
import { waitFor } from '../support/wait.ts';

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

interface Span extends z.output<typeof spanSchema> {
  service: string;
}

/** An OTLP endpoint that keeps what it is sent. */
const startCollector = async (spans: Span[]): Promise<Server> => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { resourceSpans } = exportSchema.parse(JSON.parse(Buffer.concat(chunks).toString()));
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = resource.attributes.find((it) => it.key === 'service.name')?.value.stringValue ?? '';
      spans.push(...scopeSpans.flatMap((it) => it.spans).map((span) => ({ ...span, service })));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

describe('a trace', () => {
  const spans: Span[] = [];
  let collector: Server;
  let directory: string;
  let stack: Stack;
  let world: World;

  beforeAll(async () => {
    collector = await startCollector(spans);
    const address = collector.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${port}`;
    process.env.OTEL_BSP_SCHEDULE_DELAY = '200';
    directory = await mkdtemp(join(tmpdir(), 'stanza-trace-'));
    stack = await startStack({ directory, seed: false });
    world = await openWorld(stack.info);
  }, 60_000);

  afterAll(async () => {
    await world?.close();
    await stack?.stop();
    delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
    delete process.env.OTEL_BSP_SCHEDULE_DELAY;
    collector?.closeAllConnections();
    collector?.close();
    await rm(directory, { recursive: true, force: true });
  }, 60_000);

  it('runs from the HTTP request across NATS to every service and its SQL, and continues that of the client', async () => {
    const organization = await world.newOrganization({ connected: false });
    const api = world.api.with((await organization.key()).key);
    const { id } = await liveTemplate(api);
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const answer = await api.post(
      '/v1/templates/compile',
      { template_id: id, data: { service: 'a', version: 'b' } },
      { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
    );
    expect(compileTemplate.reply.parse(answer.body).success).toBe(true);
    const of = (service: string) =>
      spans.filter((span) => span.traceId === traceId && span.service === `stanza-${service}`);
    await waitFor(
      'the spans of every service',
      () => ['gateway', 'compile', 'template', 'organization'].every((service) => of(service).length > 0),
      20_000,
    );
    await waitFor(
      'a span of SQL',
      () => spans.some((span) => span.traceId === traceId && span.name.startsWith('sql ')),
      20_000,
    );
    const root = of('gateway').find((span) => span.parentSpanId === 'b7ad6b7169203331');
    expect(root?.name).toBe('POST /templates/compile');
    const ids = new Set(spans.filter((span) => span.traceId === traceId).map((span) => span.spanId));
    const orphans = spans.filter(
      (span) => span.traceId === traceId && span !== root && !ids.has(span.parentSpanId ?? ''),
    );
    expect(orphans).toEqual([]);
  });
});
