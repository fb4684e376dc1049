import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { InMemorySpanExporter, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import { settleReservation } from '@stanza/contracts';
import type { Database } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { newContext } from '../rpc/context.ts';
import { handle } from '../rpc/handler.ts';
import { outboxProcess, someWork, startServiceNats } from '../testing/jobs.ts';
import type { TestNats } from '../testing/nats.ts';
import { connectTo, provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { echo, testProcess } from '../testing/rpc.ts';
import { until } from '../testing/wait.ts';
import { createLogger, silentLogger } from './log.ts';
import { noTracing, type Tracing, tracingFromEnvironment } from './tracing.ts';
import { startOtel } from './tracing-otel.ts';

const readOne = statement<{ one: number }>('read-one', 'select 1 as one');

const exporter = new InMemorySpanExporter();
let nats: TestNats;
let postgres: TestPostgres;
let url: string;

beforeAll(async () => {
  nats = await startServiceNats();
  postgres = await startTestPostgres();
  url = await provisionSchema(postgres.url, 'organization');
});
afterAll(async () => {
  await postgres.close();
  await nats.close();
});

const spansOf = (traceId: string) =>
  exporter
    .getFinishedSpans()
    .filter((span) => span.spanContext().traceId === traceId)
    .map((span) => ({
      name: span.name,
      service: String(span.resource.attributes['service.name']),
      id: span.spanContext().spanId,
      parent: span.parentSpanContext?.spanId,
    }));

const traced = (service: string): Tracing => startOtel({ service, log: silentLogger(), exporter });

const withDatabase = async (tracing: Tracing, run: (database: Database) => Promise<void>) => {
  const database = await connectTo(url, 'organization', { tracing });
  await run(database);
  await database.close();
};

describe('tracing', () => {
  it('makes one trace from the request over NATS to the statement in the database', async () => {
    const organization = traced('organization');
    const gateway = traced('gateway');
    const server = await testProcess({
      url: nats.url,
      user: 'organization',
      caller: 'organization',
      tracing: organization,
    });
    const client = await testProcess({
      url: nats.url,
      user: 'operator',
      caller: 'gateway',
      tracing: gateway,
    });
    const outside = '4bf92f3577b34da6a3ce929d0e0e4736';
    await withDatabase(organization, async (database) => {
      await server.serve([
        handle(echo, async () => database.transaction(async (tx) => (await tx.query(readOne))[0]?.one)),
      ]);
      const answer = await gateway.entry(
        'GET /v1/things',
        `00-${outside}-00f067aa0ba902b7-01`,
        {},
        (traceparent) =>
          client.rpc.call(echo, 1, newContext({ deadlineMs: 2_000, ...(traceparent && { traceparent }) })),
      );
      expect(answer).toBe(1);
    });
    const spans = spansOf(outside);
    const chain = [
      'GET /v1/things',
      'organization.echo',
      'organization.echo',
      'sql transaction',
      'sql read-one',
    ];
    let parent: string | undefined = '00f067aa0ba902b7';
    for (const name of chain) {
      const next: (typeof spans)[number] | undefined = spans.find(
        (it) => it.name === name && it.parent === parent,
      );
      expect({ name, found: next !== undefined }).toEqual({ name, found: true });
      parent = next?.id;
    }
    expect(new Set(spans.map((it) => it.service))).toEqual(
      new Set(['stanza-gateway', 'stanza-organization']),
    );
    await Promise.all([server.broker.close(), client.broker.close()]);
  });

  it('continues in the service that a row of the outbox calls', async () => {
    const tracing = traced('delivery');
    const receiver = await testProcess({
      url: nats.url,
      user: 'organization',
      caller: 'organization',
      tracing: traced('organization'),
    });
    await receiver.serve([handle(settleReservation, async () => ({}))]);
    await withDatabase(tracing, async (database) => {
      const caller = await outboxProcess({ service: 'delivery', url: nats.url, database, tracing });
      const outside = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';
      // A job that serves many traces writes the row of each in one transaction.
      await tracing.entry('close batches', undefined, {}, () =>
        database.transaction((tx) =>
          tracing.entry('close batch', `00-${outside}-bbbbbbbbbbbbbbbb-01`, {}, () =>
            caller.outbox.add(tx, settleReservation, someWork(1)),
          ),
        ),
      );
      await until(() => spansOf(outside).some(({ service }) => service === 'stanza-organization'));
      expect(spansOf(outside).map((it) => it.name)).toContain('organization.settle-reservation');
      await caller.stop();
    });
    await receiver.broker.close();
  });

  it('marks a span whose work failed, without the message of the error', async () => {
    const tracing = traced('failing');
    const failing = tracing.span('fails', {}, () => Promise.reject(new TypeError('text of a customer')));
    await expect(failing).rejects.toThrow('text of a customer');
    const span = exporter.getFinishedSpans().find((it) => it.name === 'fails');
    expect(span?.status).toEqual({ code: 2, message: 'TypeError' });
    expect(JSON.stringify(span?.events)).not.toContain('customer');
  });

  it('is off, and costs nothing, where no endpoint is configured', async () => {
    expect(await tracingFromEnvironment('gateway', {}, silentLogger())).toBe(noTracing);
    expect(
      await tracingFromEnvironment(
        'gateway',
        { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
        silentLogger(),
      ),
    ).toBe(noTracing);
  });

  it('logs once that its collector is away and once that it is back, and ends while it is away', async () => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line).msg) };
    const log = createLogger({ name: 'gateway', level: 'info', destination });
    let error: Error | undefined;
    const away: SpanExporter = {
      export: (_, done) => done(error ? { code: 1, error } : { code: 0 }),
      shutdown: () => new Promise(() => undefined),
    };
    const tracing = startOtel({ service: 'gateway', log, exporter: away });
    for (const failure of [undefined, new Error('refused'), new Error('refused'), undefined]) {
      error = failure;
      await tracing.span('one', {}, () => Promise.resolve());
    }
    expect(lines).toEqual(['traces could not be sent', 'traces are sent again']);
    await tracing.close();
  });
});
