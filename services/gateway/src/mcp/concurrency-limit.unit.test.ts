import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { ConcurrencyLimit, createMetrics, silentLogger, systemClock } from '@stanza/runtime';
import express, { type Router, type Response as ServerResponse } from 'express';
import { OpenLimits } from '../limits/open-limits.ts';
import { gatewayMetrics } from '../metrics.ts';
import { listening, sendBytes } from '../testing/client.ts';
import { type McpDependencies, openMcp } from './index.ts';

const checked = { organization: { id: 'one' }, user: {}, token: { scopes: [] }, valid: true };

const opened = (given: Partial<McpDependencies>): Router =>
  openMcp({
    agents: new ConcurrencyLimit({ kind: 'agents', limit: 4 }),
    rates: { take: async () => undefined },
    open: new OpenLimits({ limit: 4, clock: systemClock }),
    origins: new Map(),
    issuer: undefined,
    origin: undefined,
    maintenance: { current: undefined },
    clientOf: () => ({ address: null, user_agent: null }),
    metrics: gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false })),
    clock: systemClock,
    log: silentLogger(),
    ...given,
  });

describe('the limits of agents', () => {
  let server: Server | undefined;
  const asking = jest.spyOn(globalThis, 'fetch');
  afterEach(() => {
    asking.mockReset();
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
    app.use(opened({ agents, open }));
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

  it('A message over the rate of its organization is refused before it is read', async () => {
    const take = jest.fn<McpDependencies['rates']['take']>(async () => ({
      isGranted: false,
      remaining: 0,
      secondsToMore: 7,
    }));
    asking.mockImplementation(async () => Response.json(checked));
    server = createServer(express().use(opened({ rates: { take } })));
    const head =
      'POST /mcp HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer key\r\nContent-Length: 2\r\n\r\n';
    const answer = await sendBytes(await listening(server), (socket) => socket.write(head));
    expect(take).toHaveBeenCalledWith('one', 'agents');
    expect(answer).toMatch(/^HTTP\/1.1 429 /);
    expect(answer).toContain('"agents";r=0;t=7');
  });
});
