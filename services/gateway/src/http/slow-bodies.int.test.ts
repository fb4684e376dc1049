import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CodedError, signatureHeaders } from '@stanza/contracts';
import { ConcurrencyLimit, noTracing, systemClock } from '@stanza/runtime';
import type { Express } from 'express';
import { OpenLimits } from '../limits/open-limits.ts';
import { takeSlot } from '../pipeline/admit.ts';
import { authenticate } from '../pipeline/authenticate.ts';
import { readBody, refuseUnsigned } from '../pipeline/read-body.ts';
import { openRouters } from '../routers.ts';
import { listening, sendBytes } from '../testing/client.ts';
import { openRefusingProvider, settingsFor } from '../testing/refusing-provider.ts';
import { openWorld, type World } from '../testing/world.ts';
import { createApp } from './app.ts';
import { createHttpServer, securityHeaders } from './http-server.ts';

interface Layer {
  rawPath?: string;
  route?: { path: string; methods?: Record<string, boolean> } | undefined;
  handle?: object;
}

const stackOf = (handle: object = {}): readonly Layer[] | undefined =>
  'stack' in handle && Array.isArray(handle.stack) ? handle.stack : undefined;

/** Everything that express routes, with its methods; what takes every method is asked by GET and POST. */
const routesOf = (stack: readonly Layer[], prefix = ''): string[] =>
  stack.flatMap(({ rawPath = '', route, handle }) => {
    const under = `${prefix}${route?.path ?? (rawPath === '/' ? '' : rawPath)}`;
    const inner = stackOf(handle);
    if (inner) return routesOf(inner, under);
    const methods = Object.keys(route?.methods ?? {}).filter((method) => method !== '_all');
    const path = under.replaceAll(/:\w+/g, '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f') || '/nowhere';
    return (methods.length > 0 ? methods : ['get', 'post']).map(
      (method) => `${method.toUpperCase()} ${path}`,
    );
  });

const nobody = (): Promise<never> => Promise.reject(new CodedError('invalid_token'));
const far = 3_600_000;

describe('a body that never ends', () => {
  let world: World;
  let app: Express;
  let server: Server;
  let port: number;
  let open: OpenLimits;
  let provider: Awaited<ReturnType<typeof openRefusingProvider>>;

  beforeAll(async () => {
    world = await openWorld();
    const { database, outbox, log, metrics } = world;
    const clock = systemClock;
    open = new OpenLimits({ limit: 10_000, clock });
    const requests = new ConcurrencyLimit({ kind: 'requests', limit: 10_000 });
    const agents = new ConcurrencyLimit({ kind: 'agents', limit: 100 });
    const credentials = { findKey: nobody, findMember: nobody, verifySession: nobody };
    provider = await openRefusingProvider();
    const set = settingsFor(provider.issuer, world.url);
    const maintenance = { current: undefined };
    const surroundings = { metrics, log, clock };
    const routers = await openRouters(set, {
      ...surroundings,
      maintenance,
      open,
      agents,
      database,
      outbox,
      rpc: { call: nobody },
      credentials,
      rates: { take: async () => undefined },
    });
    const steps = [
      takeSlot({ requests, open }),
      authenticate(credentials),
      refuseUnsigned(clock),
      readBody(clock),
      () => Promise.reject(new CodedError('not_found')),
    ];
    const headers = securityHeaders(0);
    app = createApp(
      { ...surroundings, ...routers, steps, confirmations: { add: () => undefined }, tracing: noTracing },
      {
        ...routers,
        console: routers.console?.router,
        headers,
        condition: { illness: () => undefined, unreadiness: () => undefined },
      },
    );
    // Only what the application does ends a connection here.
    const timeouts = { headersMs: far, requestMs: far, silenceMs: far, checkMs: far };
    server = createHttpServer(app, {
      connections: 10_000,
      onDropped: () => undefined,
      onRefused: () => undefined,
      headers,
      timeouts,
    });
    port = await listening(server);
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    provider.close();
    await world.close();
  });

  const beginning = (route: string): string =>
    [
      `${route} HTTP/1.1`,
      'Host: 127.0.0.1',
      'Content-Type: application/json',
      'Content-Length: 100',
      'X-Stanza-Console: 1',
      'Sec-Fetch-Site: same-origin',
      `${signatureHeaders.timestamp}: ${Math.floor(systemClock.now().getTime() / 1_000)}`,
      `${signatureHeaders.signature}: v0=${'0'.repeat(64)}`,
      '',
      '{',
    ].join('\r\n');

  it('is answered without credentials on every route, holds no slot for longer, and its connection ends', async () => {
    const routes = [...new Set(routesOf(app.router.stack))];
    for (const known of ['POST /console/auth/key', 'POST /mcp', 'POST /v1/chat/interactions', 'GET /docs/'])
      expect(routes).toContain(known);
    const answers = await Promise.all(
      routes.map(async (route) => {
        const answer = await sendBytes(port, (socket) => socket.write(beginning(route)));
        return [route, /^HTTP\/1.1 (\d{3})/.exec(answer)?.[1]];
      }),
    );
    expect(answers.filter(([, status]) => status === undefined || status.startsWith('5'))).toEqual([]);
    const slow = answers.flatMap(([route, status]) => (status === '408' ? [route] : []));
    expect(slow).toEqual(expect.arrayContaining(['POST /v1/chat/interactions', 'POST /console/auth/key']));
    for (const kind of ['clicks', 'sign_ins', 'returns', 'sign_in_returns'] as const)
      expect(open.taken(kind)).toBe(0);
  });
});
