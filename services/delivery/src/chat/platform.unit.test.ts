import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@stanza/runtime';
import { type ChatPlatform, createChatPlatform, outcomeName } from './platform.ts';

const opened: { server: Server; platform: ChatPlatform }[] = [];

/** A platform whose other side is one function. */
const platformOf = async (listener: RequestListener): Promise<ChatPlatform> => {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const platform = createChatPlatform({ apiUrl: `http://127.0.0.1:${port}/api/`, clock: systemClock });
  opened.push({ server, platform });
  return platform;
};

/** A platform whose other side notes what one call brings: path, token, type and body. */
const listening = async (): Promise<{ platform: ChatPlatform; seen: string[] }> => {
  const seen: string[] = [];
  const platform = await platformOf(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { url = '', headers } = request;
    seen.push(
      url,
      headers.authorization ?? '',
      headers['content-type'] ?? '',
      Buffer.concat(chunks).toString(),
    );
    response.end('{"ok":true,"ts":"1.1"}');
  });
  return { platform, seen };
};

const answering = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  platformOf((_, response) => {
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  });

const call = (platform: ChatPlatform, timeoutMs = 2_000) =>
  platform.call({ method: 'chat.postMessage', args: { channel: 'C1' }, token: 'xoxb-1', timeoutMs });

afterEach(async () => {
  for (const { server, platform } of opened.splice(0)) {
    server.closeAllConnections();
    server.close();
    await platform.close();
  }
});

describe('a call to the chat platform', () => {
  it('carries the token as a bearer token, and the arguments as a form', async () => {
    const { platform, seen } = await listening();
    const args = { email: 'ada@example.com' };
    await platform.call({ method: 'users.lookupByEmail', args, token: 'xoxb-1', timeoutMs: 2_000 });
    expect(seen).toEqual([
      '/api/users.lookupByEmail',
      'Bearer xoxb-1',
      'application/x-www-form-urlencoded',
      'email=ada%40example.com',
    ]);
  });

  it.each(['chat.postMessage', 'chat.update', 'views.open'] as const)(
    'carries blocks in JSON to %s',
    async (method) => {
      const { platform, seen } = await listening();
      const args = { channel: 'C1', blocks: [{ type: 'divider' }], thread_ts: undefined };
      const { outcome, attempt } = await platform.call({ method, args, token: 'xoxb-1', timeoutMs: 2_000 });
      expect(seen).toEqual([
        `/api/${method}`,
        'Bearer xoxb-1',
        'application/json; charset=utf-8',
        '{"channel":"C1","blocks":[{"type":"divider"}]}',
      ]);
      expect(outcome).toMatchObject({ kind: 'ok', data: { ts: '1.1' } });
      expect(attempt).toMatchObject({ method, outcome: 'ok', http_status: 200 });
    },
  );

  it('leaves out of the answer the message that it repeats', async () => {
    const platform = await answering({ ok: true, ts: '1.1', channel: 'C1', message: { text: 'Hello' } });
    const { outcome } = await call(platform);
    expect(outcome).toMatchObject({ kind: 'ok', data: { ts: '1.1', channel: 'C1' } });
    expect(outcome).not.toHaveProperty('data.message');
  });

  it('reports a refusal by its name, with what the platform adds to it', async () => {
    const messages = ['[ERROR] no more than 25 items allowed [json-pointer:/blocks/1/elements]'];
    const platform = await answering({ ok: false, error: 'invalid_blocks', response_metadata: { messages } });
    expect((await call(platform)).outcome).toEqual({
      kind: 'refused',
      error: 'invalid_blocks',
      notes: messages,
    });
  });

  it('passes on no malformed error name', async () => {
    const platform = await answering({ ok: false, error: 'Sorry: <b>no</b>' });
    expect((await call(platform)).outcome).toMatchObject({ kind: 'refused', error: 'unrecognized_error' });
  });

  it.each([
    ['7', 7],
    ['86400', 600],
    [undefined, 30],
    ['soon', 30],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 30],
  ])('reads Retry-After %s as %i seconds', async (header, retryAfter) => {
    const body = { ok: false, error: 'ratelimited' };
    const platform = await answering(body, 429, header === undefined ? {} : { 'retry-after': header });
    expect((await call(platform)).outcome).toEqual({ kind: 'rate_limited', retryAfter });
  });

  it.each(['ratelimited', 'rate_limited', 'message_limit_exceeded'])(
    'takes %s in an answer of status 200 for a limit',
    async (error) => {
      const { outcome } = await call(await answering({ ok: false, error }));
      expect(outcome).toEqual({ kind: 'rate_limited', retryAfter: 30 });
    },
  );

  it.each([
    ['an error status', 500, 'out of order', 'http_500'],
    ['no JSON', 200, '<html>', 'MalformedAnswer'],
    ['JSON of another kind', 200, '[]', 'MalformedAnswer'],
    ['a redirect', 302, '', 'http_302'],
  ])('has an unknown outcome after an answer of %s', async (_, status, body, reason) => {
    const headers = { location: 'http://127.0.0.1:1/api/' };
    const { outcome, attempt } = await call(await answering(body, status, headers));
    expect(outcome).toEqual({ kind: 'ambiguous', reason });
    expect(attempt.http_status).toBe(status);
  });

  it('has an unknown outcome without an answer in time', async () => {
    let requests = 0;
    const platform = await platformOf((_, response) => {
      requests += 1;
      if (requests === 1) response.end('{"ok":true}');
    });
    // On a connection that is there, so that the request leaves at once.
    await call(platform);
    expect((await call(platform, 500)).outcome).toEqual({ kind: 'ambiguous', reason: 'timeout' });
  });

  it('ends at the limit of size when the answer never ends', async () => {
    const platform = await platformOf((_, response) => {
      const chunk = 'x'.repeat(1024 * 1024);
      const more = () => {
        while (response.writable && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    expect((await call(platform, 20_000)).outcome).toEqual({
      kind: 'ambiguous',
      reason: 'UND_ERR_RES_EXCEEDED_MAX_SIZE',
    });
  });

  it('calls once, also when the connection breaks', async () => {
    let requests = 0;
    const platform = await platformOf((request, response) => {
      requests += 1;
      if (requests === 3) request.socket.resetAndDestroy();
      else response.end('{"ok":true}');
    });
    const kinds: string[] = [];
    for (let calls = 0; calls < 4; calls++) kinds.push((await call(platform)).outcome.kind);
    expect(kinds).toEqual(['ok', 'ok', 'ambiguous', 'ok']);
    expect(requests).toBe(4);
  });

  it('carries the token and the limit of time of its own call, however many are under way', async () => {
    const platform = await platformOf((request, response) => {
      const token = request.headers.authorization ?? '';
      if (token === 'Bearer xoxb-silent') return;
      setImmediate(() => response.end(JSON.stringify({ ok: true, token })));
    });
    const tokens = Array.from({ length: 20 }, (_, index) =>
      index % 4 === 0 ? 'xoxb-silent' : `xoxb-${index}`,
    );
    const replies = await Promise.all(
      tokens.map((token) => {
        const timeoutMs = token === 'xoxb-silent' ? 50 : 10_000;
        return platform.call({ method: 'auth.test', args: {}, token, timeoutMs });
      }),
    );
    // On a busy machine the limit may pass before there is a connection.
    const ends = replies.map(({ outcome }) =>
      outcome.kind === 'ok' ? outcome.data.token : outcomeName(outcome),
    );
    expect(ends).toEqual(tokens.map((token) => (token === 'xoxb-silent' ? 'timeout' : `Bearer ${token}`)));
  });

  it('uses connections again', async () => {
    const sockets = new Set<unknown>();
    const platform = await platformOf((request, response) => {
      sockets.add(request.socket);
      response.end('{"ok":true}');
    });
    for (let calls = 0; calls < 20; calls++) await call(platform);
    expect(sockets.size).toBeLessThan(5);
  });
});
