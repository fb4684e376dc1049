import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ConcurrencyLimit, createMetrics, silentLogger, systemClock } from '@stanza/runtime';
import express, { type Response as ServerResponse } from 'express';
import { OpenLimits } from '../limits/open-limits.ts';
import { gatewayMetrics } from '../metrics.ts';
import { listening, sendBytes } from '../testing/client.ts';
import { openMcp } from './index.ts';

describe('the concurrency limit of agents', () => {
  let server: Server | undefined;
  const asking = jest.spyOn(globalThis, 'fetch');
  afterEach(() => {
    asking.mockRestore();
    server?.close();
  });

  it('the concurrency limit counts out an agent that disconnects while its key is checked', async () => {
    const agents = new ConcurrencyLimit({ kind: 'agents', limit: 4 });
    const open = new OpenLimits({ limit: 4, clock: systemClock });
    const taken = jest.spyOn(agents, 'take');
    const app = express();
    const arrived = Promise.withResolvers<ServerResponse>();
    app.use((_request, response, next) => {
      arrived.resolve(response);
      next();
    });
    app.use(
      openMcp({
        agents,
        open,
        origins: new Map(),
        issuer: undefined,
        origin: undefined,
        maintenance: { current: undefined },
        clientOf: () => ({ address: null, user_agent: null }),
        metrics: gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false })),
        clock: systemClock,
        log: silentLogger(),
      }),
    );
    const checked = { organization: { id: 'one' }, user: {}, token: { scopes: [] }, valid: true };
    asking.mockImplementation(async () => {
      const response = await arrived.promise;
      const gone = once(response, 'close');
      response.destroy();
      await gone;
      return Response.json(checked);
    });
    server = createServer(app);
    const head = 'POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer key\r\nContent-Length: 2\r\n\r\n{}';
    await sendBytes(await listening(server), (socket) => socket.write(head));
    while (taken.mock.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect([agents.taken, open.taken('unknown_agents')]).toEqual([0, 0]);
  });
});
