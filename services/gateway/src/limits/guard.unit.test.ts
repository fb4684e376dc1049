import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLogger, createMetrics, RpcFailure, systemClock } from '@stanza/runtime';
import express from 'express';
import { gatewayMetrics } from '../metrics.ts';
import { ask, listening } from '../testing/client.ts';
import { type Guarded, guarding } from './guard.ts';
import { OpenLimits } from './open-limits.ts';

describe('a request that is no operation', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
  });

  const failing = async (error: Error) => {
    const logged: unknown[] = [];
    const write = (line: string) => void logged.push(JSON.parse(line));
    const guarded = guarding({
      maintenance: { current: undefined },
      open: new OpenLimits({ limit: 4, clock: systemClock }),
      clientOf: () => ({ address: null, user_agent: null }),
      metrics: gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false })),
      clock: systemClock,
      log: createLogger({ name: 'gateway', level: 'warn', destination: { write } }),
    });
    const fail: Guarded = () => Promise.reject(error);
    server = createServer(express().get('/', guarded('sign_ins', fail)));
    const { status, body } = await ask(await listening(server), '/');
    return { status, code: JSON.parse(body).code, logged };
  };

  it('is logged as an operation is, where a part does not answer', async () => {
    const { logged, ...met } = await failing(new RpcFailure('no_responders', 'rpc.organization.x', false));
    expect(met).toEqual({ status: 503, code: 'service_unavailable' });
    expect(logged).toMatchObject([{ level: 'warn', code: 'service_unavailable' }]);
  });

  it('is logged with what went wrong, where that is a surprise', async () => {
    const { logged, ...met } = await failing(new Error('of ours'));
    expect(met).toEqual({ status: 500, code: 'internal_error' });
    expect(logged).toMatchObject([{ level: 'error', err: { message: 'of ours' } }]);
  });
});
