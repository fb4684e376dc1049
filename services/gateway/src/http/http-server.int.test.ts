import type { RequestListener, Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { listening, sendBytes } from '../testing/client.ts';
import { createHttpServer, type Refused, type ServerLimits } from './http-server.ts';

const patient = { headersMs: 10_000, requestMs: 10_000, silenceMs: 10_000, checkMs: 20 };

describe('the server of the API', () => {
  let server: Server | undefined;
  let dropped = 0;
  let refused: Refused[] = [];
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const answerAtEnd: RequestListener = (request, response) => {
    request.resume();
    request.once('end', () => response.end('ok'));
  };
  const serve = (limits: Partial<ServerLimits> = {}, answer: RequestListener = answerAtEnd) => {
    dropped = 0;
    refused = [];
    server = createHttpServer(answer, {
      connections: 100,
      onDropped: () => {
        dropped += 1;
      },
      onRefused: (one) => void refused.push(one),
      headers: { 'X-Content-Type-Options': 'nosniff' },
      ...limits,
    });
    return listening(server);
  };
  const expectRefusal = (answer: string, status: number): void => {
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toContain('X-Content-Type-Options: nosniff');
    const body = JSON.parse(answer.split('\r\n\r\n')[1] ?? '');
    expect(body).toMatchObject({ code: 'invalid_request' });
    expect(refused).toEqual([{ status, requestId: body.request_id, address: '127.0.0.1' }]);
  };

  it('answers 408 to incomplete headers', async () => {
    const port = await serve({ timeouts: { ...patient, headersMs: 100 } });
    const answer = await sendBytes(port, (socket) => socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-A: '));
    expectRefusal(answer, 408);
  });

  it('answers 408 to an incomplete body', async () => {
    const port = await serve({ timeouts: { ...patient, headersMs: 100, requestMs: 200 } });
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';
    expectRefusal(await sendBytes(port, (socket) => socket.write(`${head}123`)), 408);
  });

  it('answers 408 to an incomplete body under the id of its request, which its route logs', async () => {
    const port = await serve({ timeouts: { ...patient, headersMs: 100, requestMs: 200 } }, (_, response) =>
      response.setHeader('X-Request-Id', 'known'),
    );
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';
    const answer = await sendBytes(port, (socket) => socket.write(`${head}123`));
    expect(answer).toMatch(/^HTTP\/1.1 408 .*\r\nX-Request-Id: known\r\n/s);
    expect(answer).toContain('"request_id":"known"');
    expect(refused).toEqual([]);
  });

  it('answers the first request of a connection that was opened long before it', async () => {
    const port = await serve({ timeouts: { ...patient, headersMs: 100 } });
    const answer = await sendBytes(port, (socket) => {
      server?.once('clientError', () =>
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
      );
    });
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
  });

  it('answers 408 to incomplete headers on such a connection too', async () => {
    const port = await serve({ timeouts: { ...patient, headersMs: 100 } });
    const answer = await sendBytes(port, (socket) => {
      server?.once('clientError', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-A: '));
    });
    expectRefusal(answer, 408);
  });

  const first = 'GET /first HTTP/1.1\r\nHost: x\r\n\r\n';
  const malformed = '\0\r\n\r\n';

  it('answers a request that bytes without sense follow, and closes the connection behind it', async () => {
    const port = await serve({ timeouts: patient }, (_request, response) => {
      server?.once('clientError', () => response.end('ok'));
    });
    const answer = await sendBytes(port, (socket) => socket.write(`${first}${malformed}`));
    expect(answer).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(answer).toMatch(/\r\n\r\nok$/);
  });

  it('writes no refusal into a response that has begun', async () => {
    const port = await serve({ timeouts: patient }, (_request, response) => {
      response.write('begun');
      server?.once('clientError', () => response.end());
    });
    const answer = await sendBytes(port, (socket) => {
      socket.write(`${first}${malformed}`);
      socket.once('data', () => socket.end());
    });
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it('breaks off a response that has begun where the body of its request does not come', async () => {
    const port = await serve({ timeouts: { ...patient, headersMs: 100, requestMs: 200 } }, (_, response) =>
      response.write('begun'),
    );
    const head = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n';
    const answer = await sendBytes(port, (socket) => socket.write(`${head}123`));
    expect(answer.match(/HTTP\/1.1/g)).toHaveLength(1);
  });

  it('refuses an expectation in its turn, also behind another request', async () => {
    const port = await serve();
    const second = 'GET /second HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n';
    const answer = await sendBytes(port, (socket) => socket.write(`${first}${second}`));
    const [met = '', refused = ''] = answer.split(/(?<=ok)/);
    expect(met).toMatch(/^HTTP\/1.1 200 /);
    expectRefusal(refused, 417);
  });

  it.each([
    ['http://other.example/livez?a=1', '/livez?a=1'],
    ['HTTPS://other.example:8787', '/'],
    ['http://other.example?a=1', '/?a=1'],
    ['http://a:bad/livez', '/livez'],
    ['*', '*'],
  ])('takes %s for the path %s', async (target, path) => {
    const port = await serve({}, ({ url }, response) => response.end(url));
    const line = `OPTIONS ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect(await sendBytes(port, (socket) => socket.write(line))).toMatch(
      new RegExp(`\r\n\r\n${path.replace(/[*?]/g, '\\$&')}$`),
    );
  });

  it.each(['http://?a=1', 'ftp://other.example/livez'])(
    'refuses %s, which is no address here',
    async (target) => {
      const port = await serve();
      expectRefusal(
        await sendBytes(port, (socket) => socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)),
        400,
      );
    },
  );

  it('closes a connection on which nothing comes', async () => {
    const port = await serve({ timeouts: { ...patient, headersMs: 100, silenceMs: 300 } });
    expect(await sendBytes(port, () => undefined)).toBe('');
  });

  it('closes the connection of a client that does not read its response', async () => {
    const large = Buffer.alloc(64 * 1024 * 1024);
    const port = await serve({ timeouts: { ...patient, silenceMs: 200 } }, (_, response) =>
      response.end(large),
    );
    const taken = await sendBytes(port, (socket) => {
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      socket.pause();
      // Only now, since a paused socket does not notice its end either.
      server?.once('connection', (connection) => connection.once('close', () => socket.resume()));
    });
    expect(taken.length).toBeLessThan(large.length);
  });

  it('answers a CONNECT request and survives a reset by its client', async () => {
    const port = await serve();
    const tunnel = 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n';
    expectRefusal(await sendBytes(port, (socket) => socket.write(tunnel)), 400);
    const gone = new Promise<void>((resolve) =>
      server?.once('connect', (_request, socket) => socket.once('close', resolve)),
    );
    const client = connect(port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(`${tunnel}${'x'.repeat(200_000)}`, () => client.resetAndDestroy());
    await gone;
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('ok');
  });

  it('keeps an idle connection for longer than it announces', async () => {
    const port = await serve();
    const { headers } = await fetch(`http://127.0.0.1:${port}`);
    const announcedMs = Number(headers.get('keep-alive')?.replace('timeout=', '')) * 1_000;
    expect(announcedMs).toBe(server?.keepAliveTimeout);
    expect(server).toHaveProperty('keepAliveTimeoutBuffer', 15_000);
  });

  it('answers 431 to headers of more than 16 KiB', async () => {
    const port = await serve();
    const head = `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`;
    expectRefusal(await sendBytes(port, (socket) => socket.write(head)), 431);
  });

  it('closes connections beyond the limit without a response, and counts them', async () => {
    const port = await serve({ connections: 1 });
    let second: Promise<string> | undefined;
    const first = sendBytes(port, (socket) => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\n');
      second = sendBytes(port, (other) => other.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
      void second.then(() => socket.write('1'));
    });
    expect(await first).toMatch(/^HTTP\/1.1 200 /);
    expect([await second, dropped]).toEqual(['', 1]);
  });
});
