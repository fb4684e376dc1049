import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, newApiKey } from '@stanza/contracts';
import {
  ConcurrencyLimit,
  createLogger,
  createMetrics,
  currentHolder,
  logLineSchema,
  noTracing,
  RpcFailure,
  systemClock,
} from '@stanza/runtime';
import { somebody } from '@stanza/runtime/testing/rpc';
import { OpenLimits } from '../limits/open-limits.ts';
import { gatewayMetrics } from '../metrics.ts';
import { takeSlot } from '../pipeline/admit.ts';
import { ask, listening } from '../testing/client.ts';
import { createApp } from './app.ts';
import { clientOf } from './client.ts';
import { createHttpServer, securityHeaders } from './http-server.ts';
import type { Step } from './request-context.ts';

const condition = { illness: () => undefined, unreadiness: () => undefined };
const compile = 'POST /v1/templates/compile HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

describe('serving a request', () => {
  let server: Server | undefined;
  let confirmed: string[];
  let concurrencyLimit: ConcurrencyLimit;
  let logged: string[];
  const metrics = gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false }));

  beforeEach(() => {
    confirmed = [];
    logged = [];
    concurrencyLimit = new ConcurrencyLimit({ kind: 'requests', limit: 8 });
  });
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const serve = (steps: readonly Step[], hstsSeconds = 0): Promise<number> => {
    const headers = securityHeaders(hstsSeconds);
    const dependencies = {
      steps: [
        takeSlot({ requests: concurrencyLimit, open: new OpenLimits({ limit: 8, clock: systemClock }) }),
        ...steps,
      ],
      confirmations: { add: (id: string) => void confirmed.push(id) },
      metrics,
      log: createLogger({
        name: 'gateway',
        level: 'info',
        destination: { write: (line) => void logged.push(line) },
      }),
      clock: systemClock,
      tracing: noTracing,
      clientOf: clientOf({ trusted: [], header: 'x-forwarded-for' }),
    };
    const app = createApp(dependencies, { condition, headers });
    server = createHttpServer(app, {
      connections: 10,
      onDropped: () => undefined,
      onRefused: () => undefined,
      headers,
    });
    return listening(server);
  };
  const answer: Step = (requestContext) => {
    requestContext.answer = { status: 200, body: '{}' };
  };

  /** Waits until every slot is free; the server notices the end of a response a turn after its client. */
  const emptied = async (): Promise<void> => {
    while (concurrencyLimit.taken > 0) await new Promise((resolve) => setImmediate(resolve));
  };

  it('is logged with the address of its connection and its user agent, whatever its headers claim, also without a route', async () => {
    const port = await serve([answer]);
    const headers = {
      'user-agent': `probe/1 Bearer ${newApiKey('production')}`,
      'x-forwarded-for': '192.0.2.1',
      forwarded: 'for=192.0.2.1',
    };
    await ask(port, '/v1/templates', headers);
    await ask(port, '/nowhere', headers);
    while (logged.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(logged.map((line) => logLineSchema.parse(JSON.parse(line)))).toMatchObject(
      ['list-templates', 'none'].map((operation) => ({
        ...(operation === 'none' ? {} : { operation }),
        msg: 'request',
        client_address: '127.0.0.1',
        user_agent: 'probe/1 Bearer [redacted]',
      })),
    );
  });

  it('is logged with the part that did not answer, where it fails for want of one', async () => {
    const port = await serve([
      () => {
        throw new RpcFailure('timeout', 'rpc.template.list-templates', true);
      },
    ]);
    expect((await ask(port, '/v1/templates')).status).toBe(503);
    while (logged.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      level: 'warn',
      code: 'service_unavailable',
      err: { message: 'rpc.template.list-templates: timeout, may have run' },
    });
  });

  it('is logged with the cause of a lost answer, where its outcome is unknown', async () => {
    const port = await serve([
      () => {
        const cause = new RpcFailure('timeout', 'rpc.delivery.send-template', true);
        throw new CodedError('delivery_outcome_unknown', {}, { cause });
      },
    ]);
    expect((await ask(port, '/v1/templates')).status).toBe(502);
    while (logged.length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      level: 'warn',
      code: 'delivery_outcome_unknown',
      err: { cause: { message: 'rpc.delivery.send-template: timeout, may have run' } },
    });
  });

  it.each([
    ['/v1/templates', 200, 'list-templates'],
    ['/v1/templates/', 200, 'list-templates'],
    ['/v1/templates?limit=1', 200, 'list-templates'],
    ['/templates', 200, 'list-templates'],
    ['/v1/templates/block-schema', 200, 'get-block-schema'],
    ['/v1/templates/one', 200, 'get-template'],
    ['/v1/Templates', 404, undefined],
    ['/v1/templates/compile', 405, undefined],
    ['/v1/templates//draft', 404, undefined],
  ])('finds its operation by its path: %s is answered %d', async (path, status, operation) => {
    const port = await serve([answer]);
    expect((await ask(port, path)).status).toBe(status);
    while (logged.length < 1) await new Promise((resolve) => setImmediate(resolve));
    expect(JSON.parse(logged[0] ?? '').operation).toBe(operation);
  });

  it('reaches the rows of the caller alone, from the step on that tells who it is, also when that changes', async () => {
    const holders: string[] = [];
    const noted: Step = () => void holders.push(currentHolder());
    const as =
      (organization_id: string): Step =>
      ({ context }) => {
        context.principal = { ...somebody, organization_id };
      };
    const port = await serve([noted, as('first'), noted, noted, as('second'), noted, answer]);
    expect((await ask(port, '/v1/templates')).status).toBe(200);
    expect(holders).toEqual(['all', 'first', 'first', 'second']);
  });

  it('below /console is answered 404 where the console is switched off', async () => {
    const port = await serve([answer]);
    for (const path of ['/console/', '/console/auth/session', '/console/icon.svg']) {
      const { status, headers } = await ask(port, path);
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/json; charset=utf-8']);
    }
  });

  it('of a disconnected client runs no further step, confirms no charge, and frees its slot', async () => {
    const begun = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const taken: string[] = [];
    const port = await serve([
      async ({ response }) => {
        taken.push('first');
        response.once('close', closed.resolve);
        begun.resolve();
        await closed.promise;
        setImmediate(ended.resolve);
      },
      (requestContext) => {
        taken.push('second');
        return answer(requestContext);
      },
    ]);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(compile);
    await begun.promise;
    expect(concurrencyLimit.taken).toBe(1);
    socket.destroy();
    await ended.promise;
    await emptied();
    expect([taken, confirmed]).toEqual([['first'], []]);
  });

  it('of a client that disconnects during a call holds its slot until the call has ended', async () => {
    const begun = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const worked = Promise.withResolvers<void>();
    const port = await serve([
      async (requestContext) => {
        requestContext.response.once('close', closed.resolve);
        begun.resolve();
        await worked.promise;
        await answer(requestContext);
      },
    ]);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(compile);
    await begun.promise;
    socket.destroy();
    await closed.promise;
    expect(concurrencyLimit.taken).toBe(1);
    worked.resolve();
    await emptied();
    expect(confirmed).toEqual([]);
  });

  it('frees its slot once the response is sent, also for an error', async () => {
    const port = await serve([
      () => {
        throw new CodedError('not_found');
      },
    ]);
    expect((await ask(port, '/v1/templates')).status).toBe(404);
    await emptied();
  });

  it('holds its slot while its client reads the response', async () => {
    const port = await serve([
      (requestContext) => {
        requestContext.answer = { status: 200, body: Buffer.alloc(32 * 1024 * 1024, ' ') };
      },
    ]);
    const socket = connect(port, '127.0.0.1').pause();
    const ended = once(socket, 'close');
    socket.write('GET /v1/templates HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    await once(socket, 'readable');
    expect(concurrencyLimit.taken).toBe(1);
    socket.resume();
    await ended;
    await emptied();
  });

  it('refuses at once, with a code, when all slots are taken', async () => {
    const port = await serve([answer]);
    const held = Array.from({ length: 8 }, () => concurrencyLimit.take());
    const refused = await ask(port, '/v1/templates');
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'service_unavailable' });
    for (const place of held) place?.leave();
    expect((await ask(port, '/v1/templates')).status).toBe(200);
  });

  it('refuses more headers than the parser would pass on, with a code', async () => {
    const port = await serve([answer]);
    const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`x-${index}`, 'a']));
    const refused = await ask(port, '/v1/templates', many);
    expect(refused.status).toBe(431);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'invalid_request' });
  });

  it.each(['/v1/templates', '/v1/nowhere', '/livez', '/openapi.json', '/docs/'])(
    'sets headers on %s that prevent misuse in a browser, and none of CORS',
    async (path) => {
      const port = await serve([answer]);
      const { headers } = await ask(port, path, { origin: 'https://example.com' });
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringMatching(
          /^default-src '(none|self)'.*frame-ancestors 'none'/,
        ),
      });
      const unwanted = Object.keys(headers).filter((name) =>
        /^(access-control-|x-powered-by|server$|strict-transport-security)/.test(name),
      );
      expect(unwanted).toEqual([]);
    },
  );

  it('sets HSTS where the operator configures it', async () => {
    const port = await serve([answer], 31_536_000);
    const { headers } = await ask(port, '/v1/templates');
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });
});
