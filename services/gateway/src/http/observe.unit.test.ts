import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMetrics, silentLogger, systemClock } from '@stanza/runtime';
import express from 'express';
import { gatewayMetrics } from '../metrics.ts';
import { listening, sendBytes } from '../testing/client.ts';
import { loggedPath, observe } from './observe.ts';

const id = '0190b6a1-6f3e-7c1d-8a55-1d2f3a4b5c6d';

describe('a logged path', () => {
  it.each([
    ['/v1/templates', '/v1/templates'],
    ['/templates/', '/templates/'],
    [`/v1/templates/${id}/versions`, `/v1/templates/${id}/versions`],
  ])('contains words of the API and ids: %s', (path, shown) => {
    expect(loggedPath(path)).toBe(shown);
  });

  it.each([
    ['/v1/templates/stz_live_abc', '/v1/templates/*'],
    [`/v1/${id}x/compile`, '/v1/*/compile'],
    ['/hunter/c2VjcmV0', '/*/*'],
    ['/v1/templates/%68unter', '/v1/templates/*'],
  ])('masks everything else: %s', (path, shown) => {
    expect(loggedPath(path)).toBe(shown);
  });
});

describe('a request', () => {
  let server: Server | undefined;
  afterEach(() => void server?.close());

  it('is no longer in progress where its client has gone before it fails', async () => {
    const metrics = gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false }));
    const failed = Promise.withResolvers<void>();
    const app = express().get('/', (request, response) => {
      response.once('close', () => {
        const observed = { operation: 'none', context: {}, deprecated: [], log: silentLogger() };
        setImmediate(() => {
          observe(request, response, observed, { metrics, clock: systemClock });
          failed.resolve();
        });
      });
      response.destroy();
    });
    server = createServer(app);
    await sendBytes(await listening(server), (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    await failed.promise;
    expect((await metrics.inFlight.get()).values).toMatchObject([{ value: 0 }]);
    expect((await metrics.requests.get()).values).toMatchObject([
      { labels: { status: 'aborted' }, value: 1 },
    ]);
  });
});
