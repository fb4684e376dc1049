import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testStack } from '@stanza/stack/testing';
import { z } from 'zod';
import { openWorld, type World } from '../support/stack.ts';

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const folder = dirname(process.env.STANZA_TEST_STACK ?? '');

/** What the stack itself must keep: encryption keys, peppers, signing secrets, passwords. */
const stackSecrets = (): string[] => {
  const kept = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8')));
  return Object.values(kept).flatMap((it) =>
    typeof it === 'string' && it.length >= 16 ? it.split(',') : [],
  );
};

/** A secret as it could turn up: as it is, in base64, in hex, and within an address. */
const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(secret).toString('base64url'),
  Buffer.from(secret).toString('hex'),
  encodeURIComponent(secret),
];

it('no process says a secret, wherever it was put', async () => {
  const planted: string[] = [];
  const secret = (shape: (random: string) => string = (it) => it): string => {
    const made = shape(randomBytes(18).toString('hex'));
    planted.push(made);
    return made;
  };
  const organization = await world.newOrganization();
  const { key } = await organization.key();
  planted.push(key);
  const session = await world.person(`${randomBytes(6).toString('hex')}@example.com`);
  planted.push(session);
  const api = world.api.with(key);
  const wrong = [
    world.api.with(session).get('/v1/templates'),
    world.api.with(secret((it) => `sk_live_${it}`)).get('/v1/templates'),
    api.get(`/v1/templates?api_key=${secret()}&token=${secret()}`),
    api.post('/v1/templates', { name: secret(), password: secret(), api_key: secret() }),
    api.post('/v1/templates/compile', { template_id: secret(), data: { token: secret() } }),
    api.post('/v1/destinations', {
      name: 'hook',
      url: `https://user:${secret()}@127.0.0.1:9/hook?token=${secret()}`,
      headers: { Authorization: `Bearer ${secret()}`, 'X-Api-Key': secret() },
    }),
    api.post('/v1/chat-connection/install', { code: secret(), state: secret() }),
    world.api.get(`/v1/chat/oauth/callback?code=${secret()}&state=${secret()}`),
    world.api.post(
      '/v1/chat/interactions',
      { payload: secret() },
      { headers: { 'x-slack-signature': `v0=${secret()}` } },
    ),
    world.api.post('/v1/invitations/accept', { token: secret() }),
    api.get('/v1/templates', { headers: { cookie: `session=${secret()}`, 'idempotency-key': secret() } }),
  ];
  const answers = await Promise.all(wrong);
  expect(answers.filter((it) => it.status >= 500)).toEqual([]);
  const said = new Map(
    readdirSync(join(folder, 'logs')).map((file) => [file, readFileSync(join(folder, 'logs', file), 'utf8')]),
  );
  for (const [name, url] of Object.entries(testStack().metrics))
    said.set(`metrics of ${name}`, await (await fetch(url)).text());
  expect(said.get('gateway.log')).toContain('"operation":"create-destination"');
  const leaks = [...said].flatMap(([where, text]) =>
    [...planted, ...stackSecrets()].flatMap((it, index) =>
      formsOf(it).some((form) => text.includes(form))
        ? [`${where}: secret ${index} (${it.slice(0, 6)}…)`]
        : [],
    ),
  );
  expect(leaks).toEqual([]);
}, 60_000);
