import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Stack, startStack } from '@stanza/local';
import { z } from 'zod';
import type { Api } from '../kit/api.ts';
import { type Collector, startCollector } from '../kit/collector.ts';
import { leaksIn } from '../kit/leaks.ts';
import { misled } from '../kit/misled.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';
import { WatchedStory } from '../kit/watched.ts';

const kept = z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())]));

/** What a stack itself must keep: encryption keys, peppers, signing secrets, passwords of all roles and users. */
const stackSecrets = (folder: string): string[] =>
  Object.values(kept.parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))))
    .flatMap((it) => (typeof it === 'string' ? it.split(/[,:]/) : Object.values(it)))
    .filter((it) => it.length >= 16);

describe('no process says a secret', () => {
  const directory = mkdtempSync(join(tmpdir(), 'stanza-secrets-'));
  const planted: string[] = [];
  let collector: Collector;
  let stack: Stack;
  let world: World;

  /** A secret that is somewhere it may have got to by a mistake. */
  const secret = (shape: (random: string) => string = (it) => it): string => {
    const made = shape(randomBytes(18).toString('base64url'));
    planted.push(made);
    return made;
  };

  beforeAll(async () => {
    collector = await startCollector();
    stack = await startStack({ directory, seed: false, env: collector.env });
    world = await openWorld(stack.info);
  });
  afterAll(async () => {
    await world?.close();
    await stack?.stop();
    collector?.close();
    await rm(directory, { recursive: true, force: true });
  });

  const inPaths = (api: Api, key: string) => [
    api.get(`/v1/templates/${secret()}`),
    api.get(`/v1/templates/${key}/versions/${secret()}`),
    api.get(`/v1/${secret()}/${key}`),
    api.get(`/${secret((it) => `stz_live_${it}`)}?key=${secret()}`),
    api.get(`/v1/messages/${encodeURIComponent(secret((it) => `${it}/+=`))}`),
    api.get(`/v1/templates?api_key=${secret()}&token=${key}`),
    api.request('DELETE', `/v1/destinations/${secret()}?access_token=${secret()}`),
    fetch(`${world.api.base}/v1/templates/%zz${secret()}`),
  ];

  const inHeaders = (api: Api) => [
    world.api.with(secret((it) => `stz_live_${it}`)).get('/v1/templates'),
    api.get('/v1/templates', {
      headers: {
        cookie: `session=${secret()}`,
        'idempotency-key': secret(),
        traceparent: secret(),
        tracestate: `vendor=${secret()}`,
        baggage: `token=${secret()}`,
      },
    }),
    world.api.get('/v1/templates', {
      headers: { authorization: `Basic ${Buffer.from(`user:${secret()}`).toString('base64')}` },
    }),
    world.api.post(
      '/v1/chat/interactions',
      { payload: secret() },
      {
        headers: { 'x-slack-signature': `v0=${secret()}` },
      },
    ),
  ];

  const inBodies = (api: Api) => [
    api.post('/v1/templates', { name: secret(), password: secret(), api_key: secret() }),
    api.post('/v1/templates', undefined, {
      raw: `{"name": ${secret()}`,
      headers: { 'content-type': 'application/json' },
    }),
    api.post('/v1/templates/compile', { template_id: secret(), data: { token: secret() } }),
    api.post('/v1/destinations', {
      name: 'hook',
      url: `https://user:${secret()}@127.0.0.1:9/${secret()}?token=${secret()}`,
      headers: { Authorization: `Bearer ${secret()}`, 'X-Api-Key': secret() },
    }),
    api.post('/v1/chat-connection/install', { code: secret(), state: secret() }),
    api.request('PUT', '/v1/chat-connection', { bot_token: secret((it) => `xoxb-1-${it}`) }),
    world.api.get(`/v1/chat/oauth/callback?code=${secret()}&state=${secret()}`),
    world.api.post('/v1/invitations/accept', { token: secret() }),
  ];

  /** Everything that the processes have said so far. */
  const said = async (): Promise<Map<string, string>> => {
    const logs = join(directory, 'logs');
    const files = readdirSync(logs).map((file) => [file, readFileSync(join(logs, file), 'utf8')] as const);
    const metrics = Object.entries(stack.info.metrics).map(
      async ([name, url]) => [`metrics of ${name}`, await (await fetch(url)).text()] as const,
    );
    return new Map([...files, ...(await Promise.all(metrics)), ['traces', collector.text]]);
  };

  it('in logs, metrics or traces, wherever it was put, nor while Postgres and NATS are away', async () => {
    const organization = await world.newOrganization();
    const { key } = await organization.key();
    const session = await world.person(`${randomBytes(6).toString('hex')}@example.com`);
    planted.push(key, session);
    const api = world.api.with(key);
    const story = await WatchedStory.begin(api);
    const answers = await Promise.all([
      world.api.with(session).get('/v1/templates'),
      ...inPaths(api, key),
      ...inHeaders(api),
      ...inBodies(api),
    ]);
    expect(answers.filter((it) => it.status >= 500)).toEqual([]);
    expect((await story.send('C1001')).status).toBe(200);
    for (const name of ['postgres', 'nats']) stack.kill(name, 'SIGKILL');
    await waitFor('an error', async () => (await story.compile()).status >= 500);
    await waitFor('an answer', async () => (await story.compile()).status === 200);
    await waitFor('traces', () => collector.text.includes('POST /destinations'));
    const everything = await said();
    // All of it was looked at.
    expect(everything.get('gateway.log')).toContain('"operation":"create-destination"');
    expect([...everything.values()].join()).toContain('disconnected from NATS');
    expect(everything.get('metrics of gateway')).toContain('stanza_http_requests_total');
    expect(planted.length).toBeGreaterThan(30);
    expect(leaksIn(everything, [...planted, ...stackSecrets(directory)])).toEqual([]);
  });

  it('of the addresses of Postgres and NATS when it cannot reach them, or must not', async () => {
    const { nats } = z
      .object({ nats: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(join(directory, 'secrets.json'), 'utf8')));
    const natsHost = new URL(stack.info.nats_url).host;
    const postgres = new URL(stack.info.database_url);
    const reachable = {
      STANZA_NATS_URL: `nats://${natsHost}`,
      STANZA_NATS_USER: 'template',
      STANZA_NATS_PASSWORD: nats.template ?? '',
    };
    const database = (password: string, host: string) =>
      `postgres://stanza_template:${password}@${host}${postgres.pathname}`;
    const cases: [Record<string, string>, string][] = [
      [
        {
          STANZA_NATS_URL: `nats://template:${secret()}@127.0.0.1:1`,
          STANZA_DATABASE_URL: database(secret(), '127.0.0.1:1'),
        },
        'NATS is not reachable yet',
      ],
      [
        { ...reachable, STANZA_DATABASE_URL: database(secret(), '127.0.0.1:1') },
        'the database is not reachable yet',
      ],
      [
        { ...reachable, STANZA_DATABASE_URL: database(secret(), postgres.host) },
        'the database is not reachable yet',
      ],
      [
        {
          ...reachable,
          STANZA_NATS_PASSWORD: secret(),
          STANZA_DATABASE_URL: database(secret(), '127.0.0.1:1'),
        },
        'NATS',
      ],
      [
        { ...reachable, STANZA_DATABASE_URL: `no address, ${secret()}`, STANZA_LOG_LEVEL: secret() },
        'STANZA_',
      ],
    ];
    const outputs = await Promise.all(cases.map(([env, words]) => misled('template', env, words)));
    for (const [index, [, words]] of cases.entries()) expect(outputs[index]).toContain(words);
    const everything = new Map(outputs.map((output, index) => [`case ${index}`, output]));
    expect(leaksIn(everything, [...planted, ...Object.values(nats)])).toEqual([]);
  });
});
