import type { Server } from 'node:http';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { ConcurrencyLimit, systemClock } from '@stanza/runtime';
import express from 'express';
import { OpenLimits } from '../limits/open-limits.ts';
import { openRouters } from '../routers.ts';
import { ask, listening } from '../testing/client.ts';
import { openRefusingProvider, settingsFor } from '../testing/refusing-provider.ts';
import { openWorld, type World } from '../testing/world.ts';

const nobody = (): Promise<never> => Promise.reject(new CodedError('invalid_token'));

describe('a sign-in that a browser has returned from', () => {
  let world: World;
  let provider: Awaited<ReturnType<typeof openRefusingProvider>>;
  let server: Server;
  let port: number;

  beforeAll(async () => {
    world = await openWorld();
    provider = await openRefusingProvider();
    const { database, outbox, log, metrics } = world;
    const { console } = await openRouters(settingsFor(provider.issuer, world.url), {
      database,
      outbox,
      log,
      metrics,
      rpc: { call: nobody },
      clock: systemClock,
      maintenance: { current: undefined },
      open: new OpenLimits({ limit: 100, clock: systemClock }),
      agents: new ConcurrencyLimit({ kind: 'agents', limit: 10 }),
      rates: { take: async () => undefined },
      credentials: { findKey: nobody, findMember: nobody, verifySession: nobody },
    });
    if (!console) throw new Error('there is no console');
    server = createServer(express().use('/console', console.router));
    port = await listening(server);
  });
  afterAll(async () => {
    server.close();
    provider.close();
    await world.close();
  });

  const begin = async (): Promise<{ cookie: string; state: string }> => {
    const begun = await ask(port, '/console/auth/sign-in', { host: '127.0.0.1' });
    const state = new URL(String(begun.headers.location)).searchParams.get('state') ?? '';
    const [cookie = ''] = String(begun.headers['set-cookie']).split(';');
    return { cookie, state };
  };
  const comeBack = async ({ cookie, state }: { cookie: string; state: string }): Promise<number> => {
    const path = `/console/auth/callback?${new URLSearchParams({ code: 'c', state })}`;
    return (await ask(port, path, { host: '127.0.0.1', cookie })).status;
  };

  it('asks the provider once, however often its cookie is sent again', async () => {
    const begun = await begin();
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(begun)));
    expect([new Set(answers), provider.codes()]).toEqual([new Set([400]), 1]);
    expect([await comeBack(await begin()), provider.codes()]).toEqual([400, 2]);
  });

  it('is not spent by a return with another state', async () => {
    const begun = await begin();
    const before = provider.codes();
    expect([await comeBack({ ...begun, state: 'another' }), provider.codes()]).toEqual([400, before]);
    expect([await comeBack(begun), provider.codes()]).toEqual([400, before + 1]);
  });
});
