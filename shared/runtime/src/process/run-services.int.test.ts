import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '@stanza/test-kit/database';
import { z } from 'zod';
import { startTestNats, type TestNats } from '../testing/nats.ts';
import { provisionSchema, startTestPostgres, type TestPostgres } from '../testing/postgres.ts';
import { testSamples } from '../testing/sample-process.ts';
import { until } from '../testing/wait.ts';

const everything = { publish: ['>'], subscribe: ['>'], allowResponses: false };
const connections = z.object({ connections: z.array(z.object({ authorized_user: z.string() })) });

const samples = testSamples();
let postgres: TestPostgres;
let databaseUrl: string;
let nats: TestNats;
let monitor: string;

beforeAll(async () => {
  const [monitorPort = 0] = await freePorts(1);
  monitor = `http://127.0.0.1:${monitorPort}`;
  const users = {
    organization: everything,
    gateway: everything,
    deaf: { ...everything, subscribe: ['_INBOX.>'] },
  };
  nats = await startTestNats({ users, monitorPort });
  postgres = await startTestPostgres();
  databaseUrl = await provisionSchema(postgres.url, 'organization');
});
afterEach(() => samples.end());
afterAll(async () => {
  await postgres.close();
  await nats.close();
});

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  STANZA_NATS_URL: nats.url,
  ORGANIZATION_STANZA_NATS_USER: 'organization',
  ORGANIZATION_STANZA_NATS_PASSWORD: 'secret',
  ORGANIZATION_STANZA_DATABASE_URL: databaseUrl,
  GATEWAY_STANZA_NATS_USER: 'gateway',
  GATEWAY_STANZA_NATS_PASSWORD: 'secret',
  ...more,
});

const runReady = async () => {
  const sample = await samples.runReady('sample-pair', environment());
  await until(async () => (await fetch(`${sample.probes}/readyz`)).status === 200);
  return sample;
};

describe('services in one process', () => {
  it('are each a user of NATS of its own', async () => {
    await runReady();
    const page: unknown = await (await fetch(`${monitor}/connz?auth=true`)).json();
    const users = connections.parse(page).connections.map((it) => it.authorized_user);
    expect(users.sort()).toEqual(['gateway', 'organization']);
  });

  it('answer on one page of metrics, each under its label and the process under one of its own', async () => {
    const { probes } = await runReady();
    const page = await (await fetch(`${probes}/metrics`)).text();
    expect(page).toContain('stanza_nats_connected{service="organization"} 1');
    expect(page).toContain('stanza_nats_connected{service="gateway"} 1');
    expect(page.match(/^# HELP stanza_nats_connected /gm)).toHaveLength(1);
    expect(page.match(/^process_start_time_seconds.*/gm)).toEqual([
      expect.stringContaining('{service="services"}'),
    ]);
  });

  it('answer for one of them alone, where a scrape names it', async () => {
    const { probes } = await runReady();
    const page = await fetch(`${probes}/metrics?service=gateway`);
    const services = [...(await page.text()).matchAll(/service="([^"]+)"/g)].map(([, service]) => service);
    expect([...new Set(services)]).toEqual(['gateway']);
    expect((await fetch(`${probes}/metrics?service=mailer`)).status).toBe(404);
  });

  it('stop in order: the last request of the gateway is answered by another, with its role of the database', async () => {
    const sample = await runReady();
    sample.process.kill('SIGTERM');
    await until(() => sample.output().includes('leaving the sample'));
    const answer = await fetch(`${sample.probes}/readyz`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { reason: 'gateway: stopping' }]);
    expect(await sample.ended).toBe(0);
    const lines = sample
      .output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toContainEqual(
      expect.objectContaining({
        service: 'gateway',
        reason: new URL(databaseUrl).username,
        msg: 'the last request is answered',
      }),
    );
    expect(lines.at(-1)).toMatchObject({ service: 'services', clean: true, msg: 'stopped' });
  });

  it('end together: the process exits with 69 when one of them cannot go on', async () => {
    const sample = samples.run('sample-pair', environment({ ORGANIZATION_STANZA_NATS_USER: 'deaf' }));
    expect(await sample.ended).toBe(69);
    expect(sample.output()).toMatch(/"service":"organization".*"msg":"exiting"/);
  });

  it('do not start with credentials that would be those of all, and list the wrong settings of each', async () => {
    const shared = samples.run('sample-pair', environment({ STANZA_DATABASE_URL: databaseUrl }));
    expect(await shared.ended).toBe(78);
    expect(shared.output()).toBe(
      'services: STANZA_DATABASE_URL names no service; set one for each, as in DELIVERY_STANZA_DATABASE_URL\n',
    );
    const wrong = { GATEWAY_STANZA_RPC_CONCURRENCY: '0', ORGANIZATION_STANZA_DATABASE_URL: '' };
    const sample = samples.run('sample-pair', environment(wrong));
    expect(await sample.ended).toBe(78);
    expect(sample.output()).toContain('organization: STANZA_DATABASE_URL is required\n');
    expect(sample.output()).toContain('gateway: STANZA_RPC_CONCURRENCY: ');
  });

  it('have one address of probes and metrics', async () => {
    const sample = samples.run('sample-pair', environment({ GATEWAY_STANZA_METRICS_PORT: '1' }));
    expect(await sample.ended).toBe(78);
    expect(sample.output()).toBe(
      'services: STANZA_METRICS_PORT is of the process: give all its services the same\n',
    );
  });
});
