import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '@stanza/test-kit/database';
import { newContext } from '../rpc/context.ts';
import { startTestNats, type TestNats } from '../testing/nats.ts';
import { provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { echo, type TestProcess, testProcess } from '../testing/rpc.ts';
import { type Sample, testSamples } from '../testing/sample-process.ts';
import { until } from '../testing/wait.ts';

const samples = testSamples();
let nats: TestNats;
let postgres: TestPostgres;
let databaseUrl: string;
let client: TestProcess;

beforeAll(async () => {
  nats = await startTestNats();
  postgres = await startTestPostgres();
  databaseUrl = await provisionSchema(postgres.url, 'organization');
  client = await testProcess({ url: nats.url });
});
afterAll(async () => {
  await client.broker.close();
  await postgres.close();
  await nats.close();
});
afterEach(() => samples.end());

const environment = (name: string, settings: Record<string, string>): Record<string, string> => ({
  STANZA_NATS_URL: nats.url,
  ...(name === 'sample-service' && { STANZA_DATABASE_URL: databaseUrl }),
  ...settings,
});

const run = (settings: Record<string, string> = {}, name = 'sample-service'): Sample =>
  samples.run(name, environment(name, settings));

/** Runs the sample until it is ready, and returns the address of its probes. */
const runReady = (settings: Record<string, string> = {}, name = 'sample-service') =>
  samples.runReady(name, environment(name, settings));

const call = (input: unknown, deadlineMs = 5_000) => client.rpc.call(echo, input, newContext({ deadlineMs }));

describe('a service as a process', () => {
  it('is not ready, and says so, while its clock is more than a minute from that of the database', async () => {
    const ahead =
      'const Real = Date; globalThis.Date = class extends Real {' +
      ' constructor(...of) { if (of.length) super(...of); else super(Real.now() + 120_000) } }';
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(ahead)}`;
    const { probes, output } = await runReady({ NODE_OPTIONS });
    const response = await fetch(`${probes}/readyz`);
    expect([response.status, await response.json()]).toMatchObject([
      503,
      {
        reason: expect.stringMatching(
          /^the clock of the process is (119|120|121) s ahead of that of the database$/,
        ),
      },
    ]);
    expect(output()).toContain('clock differs from the database: not ready');
    expect(await (await fetch(`${probes}/metrics`)).text()).toMatch(
      /stanza_clock_difference_seconds\{?.* 1(19|20)/,
    );
    expect((await fetch(`${probes}/livez`)).status).toBe(200);
  });

  it('answers probes, metrics and its operations', async () => {
    const { probes } = await runReady({ STANZA_GREETING: 'good day' });
    expect(await call('hello')).toBe('good day');
    expect((await fetch(`${probes}/livez`)).status).toBe(200);
    expect((await fetch(`${probes}/readyz`)).status).toBe(200);
    expect((await fetch(`${probes}/else`)).status).toBe(404);
    const metrics = await (await fetch(`${probes}/metrics`)).text();
    for (const name of [
      'stanza_rpc_server_calls_total{operation="echo",outcome="ok",service="organization"} 1',
      'stanza_nats_connected{service="organization"} 1',
      'stanza_database_pool_limit{service="organization"} 10',
      'nodejs_eventloop_lag_p99_seconds',
      'process_resident_memory_bytes',
    ]) {
      expect(metrics).toContain(name);
    }
  });

  it('exits with 78 and one line for each wrong setting', async () => {
    const sample = run({ STANZA_GREETINGS: 'x', STANZA_DATABASE_POOL: 'many', STANZA_NATS_URL: '' });
    expect(await sample.ended).toBe(78);
    const lines = sample.output().trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines).toContain(
      'organization: STANZA_GREETINGS is not a setting of this service; did you mean STANZA_GREETING?',
    );
    expect(lines).toContain('organization: STANZA_NATS_URL is required');
    expect(lines.join()).toContain('organization: STANZA_DATABASE_POOL: ');
  });

  it('refuses to start with an operation that has no handler, or a handler that has no operation', async () => {
    const sample = run({}, 'sample-mismatch');
    expect(await sample.ended).toBe(1);
    const lines = sample.output().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        level: 'fatal',
        unhandled: ['nothing-handles-this'],
        undeclared: ['echo'],
        msg: 'operations and handlers do not match',
      }),
    );
  });

  it('finishes requests in flight at a stop, and takes no new ones', async () => {
    const sample = await runReady();
    let isAnswered = false;
    const inFlight = call(3_000).finally(() => {
      isAnswered = true;
    });
    await until(async () =>
      (await (await fetch(`${sample.probes}/metrics`)).text()).includes(
        'in_flight{service="organization"} 1',
      ),
    );
    sample.process.kill('SIGTERM');
    await until(async () => (await fetch(`${sample.probes}/readyz`)).status === 503);
    await until(() =>
      call('too late').then(
        () => false,
        (err: unknown) => Object(err).kind === 'no_responders',
      ),
    );
    expect(isAnswered).toBe(false);
    expect(await inFlight).toBe('hello');
    expect(await sample.ended).toBe(0);
    expect(sample.output()).toContain('closing the sample');
    expect(sample.output()).toContain('"clean":true');
  });

  it('still takes requests for a moment after it reports that it is not ready', async () => {
    const sample = await runReady({ STANZA_LEAVE_MS: '1500' });
    sample.process.kill('SIGTERM');
    await until(() => sample.output().includes('leaving the sample'));
    expect((await fetch(`${sample.probes}/readyz`)).status).toBe(503);
    expect((await fetch(`${sample.probes}/livez`)).status).toBe(200);
    expect(await call('as before')).toBe('hello');
    expect(sample.output()).not.toContain('closing the sample');
    expect(await sample.ended).toBe(0);
  });

  it('waits for a running job before it closes anything', async () => {
    const sample = await runReady();
    await until(() => sample.output().includes('the job begins'));
    sample.process.kill('SIGTERM');
    expect(await sample.ended).toBe(0);
    const inOrder = ['the job begins', 'the job has ended', 'closing the sample', '"stopped"'];
    const places = inOrder.map((text) => sample.output().indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('exits at once at the second signal', async () => {
    const sample = await runReady();
    const inFlight = call(4_000, 1_000);
    const unanswered = expect(inFlight).rejects.toMatchObject({ kind: 'timeout' });
    await until(async () =>
      (await (await fetch(`${sample.probes}/metrics`)).text()).includes(
        'in_flight{service="organization"} 1',
      ),
    );
    sample.process.kill('SIGTERM');
    await until(async () => (await fetch(`${sample.probes}/readyz`)).status === 503);
    sample.process.kill('SIGTERM');
    expect(await sample.ended).toBe(1);
    expect(sample.output()).not.toContain('closing the sample');
    await unanswered;
  });

  it('survives an unhandled rejection, and logs it', async () => {
    const sample = await runReady();
    await call('forget a rejection');
    await until(() => sample.output().includes('unhandled rejection'));
    expect(await call('still there?')).toBe('hello');
  });

  it('exits with 70 after an uncaught exception, and logs it', async () => {
    const sample = await runReady();
    await call('throw later');
    expect(await sample.ended).toBe(70);
    expect(sample.output()).toContain('thrown later');
  });

  it('waits at its start for a database that is not reachable yet', async () => {
    await postgres.kill();
    const sample = run();
    await until(() => sample.output().includes('the database is not reachable yet'));
    await postgres.restart();
    await until(() => sample.output().includes('"started"'));
    expect(await call('hello')).toBe('hello');
  });

  it('tells that it is not connected to NATS from its start on, before any connection', async () => {
    await nats.kill();
    const [port = 0] = await freePorts(1);
    run({ STANZA_METRICS_PORT: String(port) });
    const metricsText = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
      return (await answer?.text()) ?? '';
    };
    await until(async () => /^stanza_nats_connected\{.*\} 0$/m.test(await metricsText()));
    await nats.restart();
    await until(async () => /^stanza_nats_connected\{.*\} 1$/m.test(await metricsText()));
    await until(() => client.broker.connected);
  });

  it('stays ready during an outage of the database, and tells how long it lasts', async () => {
    const { probes } = await runReady();
    await postgres.kill();
    const unanswered = async () => {
      const text = await (await fetch(`${probes}/metrics`)).text();
      return Number(/^stanza_database_unanswered_seconds\{.*\} ([\d.]+)$/m.exec(text)?.[1]);
    };
    // Longer than it takes from one question to the next.
    await until(async () => (await unanswered()) > 20);
    expect((await fetch(`${probes}/readyz`)).status).toBe(200);
    expect((await fetch(`${probes}/livez`)).status).toBe(200);
    expect(await call('hello')).toBe('hello');
    await postgres.restart();
  });

  it('runs without a database when it declares none', async () => {
    const { output } = await runReady({}, 'sample-gateway');
    expect(output()).toContain('gateway runs without a database');
    expect(output()).not.toContain('there is a database');
  });

  it('sends its spans to the endpoint of the standard variables, the last ones at its exit', async () => {
    const asked: string[] = [];
    const collector = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      request.resume().on('end', () => response.end());
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const address = collector.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` };
    const sample = await runReady(endpoint, 'sample-gateway');
    sample.process.kill('SIGTERM');
    expect(await sample.ended).toBe(0);
    expect(asked).toContain('POST /v1/traces');
    collector.close();
  });
});
