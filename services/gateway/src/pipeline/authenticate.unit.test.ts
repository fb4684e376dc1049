import { describe, expect, it } from '@jest/globals';
import { newApiKey, validateToken } from '@stanza/contracts';
import { newContext, RpcFailure, silentLogger, systemClock } from '@stanza/runtime';
import express from 'express';
import type { Exchange } from '../exchange.ts';
import { KeyCache } from '../key-cache.ts';
import { authenticate } from './authenticate.ts';

/** A request with one header, as express makes it. */
const requestWith = (authorization: string): express.Request =>
  Object.create(express.request, { headers: { value: { authorization } } });

const exchangeWith = (authorization: string): Exchange => ({
  operation: validateToken,
  request: requestWith(authorization),
  response: Object.create(express.response),
  context: newContext({ deadlineMs: 1_000 }),
  log: silentLogger(),
  deprecated: [],
});

describe('authentication', () => {
  it('is a coded 503 while the keys cannot be looked up, and never a surprise', async () => {
    const away = () =>
      Promise.reject(new RpcFailure('no_responders', 'organization.authenticate-key', false));
    const step = authenticate(new KeyCache(away, systemClock));
    const tried = step(exchangeWith(`Bearer ${newApiKey('production')}`));
    await expect(tried).rejects.toMatchObject({ code: 'service_unavailable', facts: { retry_after: 1 } });
  });

  it.each(['Basic abc', 'Bearer', 'Bearer a b'])('takes %j for no credentials', async (header) => {
    const step = authenticate(new KeyCache(() => Promise.reject(new Error('asked')), systemClock));
    await expect(step(exchangeWith(header))).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
