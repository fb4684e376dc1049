import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  apiKeyDigest,
  CodedError,
  type InputOf,
  newApiKey,
  type Principal,
  recordSignIn,
} from '@stanza/contracts';
import { ConcurrencyLimit, handle, systemClock } from '@stanza/runtime';
import { inProcessRpc } from '@stanza/test-kit/database';
import express from 'express';
import { OpenLimits } from '../limits/open-limits.ts';
import { RateLimits } from '../limits/rate-limits.ts';
import { openRouters } from '../routers.ts';
import { listening } from '../testing/client.ts';
import { openRefusingProvider, settingsFor } from '../testing/refusing-provider.ts';
import { openWorld, type World } from '../testing/world.ts';

const principal: Principal = {
  organization_id: '019a0000-0000-7000-8000-000000000001',
  environment: 'production',
  actor: { type: 'api_key', id: '019a0000-0000-7000-8000-000000000002' },
  role: 'viewer',
  scopes: ['templates:read'],
};

describe('signing in to the console with an API key', () => {
  let world: World;
  let provider: Awaited<ReturnType<typeof openRefusingProvider>>;
  let server: Server;
  let origin: string;
  /** Digests of keys that may not sign in. */
  const refusedKeys = new Set<string>();
  const told: InputOf<typeof recordSignIn>[] = [];
  const record = handle(recordSignIn, async ({ input }) => {
    told.push(input);
    return {};
  });

  beforeAll(async () => {
    world = await openWorld();
    provider = await openRefusingProvider();
    const { database, outbox, log, metrics } = world;
    const { console } = await openRouters(settingsFor(provider.issuer, world.url), {
      database,
      outbox,
      log,
      metrics,
      rpc: inProcessRpc([record]),
      clock: systemClock,
      maintenance: { current: undefined },
      open: new OpenLimits({ limit: 100, clock: systemClock }),
      agents: new ConcurrencyLimit({ kind: 'agents', limit: 10 }),
      rates: new RateLimits({
        database,
        log,
        metrics,
        clock: systemClock,
        at: () => new Date('2026-11-01T10:00:00Z'),
      }),
      credentials: {
        findKey: async (digest) => {
          if (refusedKeys.has(digest)) throw new CodedError('invalid_token');
          return { principal, allowed: [] };
        },
        findMember: async () => undefined,
        verifySession: undefined,
      },
    });
    if (!console) throw new Error('there is no console');
    server = createServer(express().use('/console', console.router));
    origin = `http://127.0.0.1:${await listening(server)}`;
  });
  afterAll(async () => {
    server.close();
    provider.close();
    await world.close();
  });

  const signIn = (key: string): Promise<Response> =>
    fetch(`${origin}/console/auth/key`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-stanza-console': '1', origin },
      body: JSON.stringify({ key }),
    });

  it('is refused to a key that has done so sixty times in a minute, and to no other', async () => {
    const key = newApiKey('production');
    const statuses: number[] = [];
    for (let time = 0; time < 60; time += 1) statuses.push((await signIn(key)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await signIn(key);
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([429, null]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect((await signIn(newApiKey('production'))).status).toBe(200);
  });

  it('leaves no row behind where the key is refused, which anybody can make of whom nobody knows', async () => {
    const key = newApiKey('production');
    refusedKeys.add(apiKeyDigest(key));
    const rows = () => world.rows('select id from outbox');
    const before = (await rows()).length;
    const refused = await signIn(key);
    expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null]);
    expect((await rows()).length).toBe(before);
    expect(told).toMatchObject([{ who: { key_digest: apiKeyDigest(key) }, outcome: 'refused' }]);
  });
});
