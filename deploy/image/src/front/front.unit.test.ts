import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from '@jest/globals';
import { parseAddressRange } from '@stanza/contracts';
import { createFront, type Unanswered } from './front.ts';
import { type GatewayAddress, Gateways } from './gateways.ts';

const host = '127.0.0.1';
const running: { close(done: () => void): unknown }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((it) => new Promise<void>((resolve) => it.close(() => resolve()))));
});

const portOf = (server: { address(): unknown }): number => Number(Object(server.address()).port);

const started = async <S extends Server>(server: S): Promise<S> => {
  server.listen(0, host);
  await once(server, 'listening');
  running.push({
    close: (done) => {
      server.close(done);
      server.closeAllConnections();
    },
  });
  return server;
};

const gateway = async (listener: RequestListener): Promise<GatewayAddress> => ({
  host,
  port: portOf(await started(createServer(listener))),
});

/** An address without a listener. */
const nobody = async (): Promise<GatewayAddress> => {
  const server = createTcpServer().listen(0, host);
  await once(server, 'listening');
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return { host, port };
};

const frontOf = (...addresses: GatewayAddress[]) => frontWith({}, ...addresses);

const frontWith = async (
  { connections = 100, trusted = [] }: { connections?: number; trusted?: string[] },
  ...addresses: GatewayAddress[]
) => {
  const unanswered: (Unanswered | 'full')[] = [];
  const gateways = new Gateways({ find: async () => addresses, now: () => performance.now() });
  const server = await started(
    createFront({
      connections,
      trusted: trusted.map(parseAddressRange),
      gateways,
      onUnanswered: (why) => unanswered.push(why),
    }),
  );
  return { url: `http://${host}:${portOf(server)}`, port: portOf(server), unanswered };
};

const echo: RequestListener = async (request, response) => {
  const body = await text(request);
  response.setHeader('X-Seen', request.headers['x-request-id'] ?? '');
  response.writeHead(201, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }));
};

describe('the front', () => {
  it('forwards a request and its answer unchanged', async () => {
    const { url } = await frontOf(await gateway(echo));
    const response = await fetch(`${url}/v1/templates?x=%20y`, {
      method: 'PUT',
      headers: { authorization: 'Bearer key', 'x-request-id': 'mine-1', 'idempotency-key': 'k' },
      body: 'ä'.repeat(200_000),
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-seen')).toBe('mine-1');
    expect(await response.json()).toMatchObject({
      method: 'PUT',
      url: '/v1/templates?x=%20y',
      headers: { authorization: 'Bearer key', 'idempotency-key': 'k' },
      body: 'ä'.repeat(200_000),
    });
  });

  it('names the client itself, and ignores the client’s own headers about it', async () => {
    const { url } = await frontOf(await gateway(echo));
    const spoofed = { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' };
    const { headers } = Object(await (await fetch(url, { headers: spoofed })).json());
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1' });
    expect(headers).not.toHaveProperty('forwarded');
  });

  it('keeps the framing of a body of unknown length, also of a DELETE', async () => {
    const { url } = await frontOf(await gateway(echo));
    const response = await fetch(url, {
      method: 'DELETE',
      body: new Blob(['{"confirm":', 'true}']).stream(),
      duplex: 'half',
    });
    expect(await response.json()).toMatchObject({ method: 'DELETE', body: '{"confirm":true}' });
  });

  it('sends requests to the gateways in turn, and skips one that accepts none', async () => {
    const named = (name: string) => gateway((_request, response) => response.end(name));
    const { url, unanswered } = await frontOf(await named('one'), await nobody(), await named('two'));
    const answers: string[] = [];
    for (let count = 0; count < 6; count += 1) answers.push(await (await fetch(url)).text());
    expect(new Set(answers)).toEqual(new Set(['one', 'two']));
    expect(unanswered).toEqual([]);
  });

  it('answers all requests that come while the gateways are looked up the first time', async () => {
    const address = await gateway(echo);
    const found = Promise.withResolvers<GatewayAddress[]>();
    const gateways = new Gateways({ find: () => found.promise, now: () => 0 });
    const connecting = [gateways.connect(), gateways.connect()];
    found.resolve([address]);
    const sockets = await Promise.all(connecting);
    for (const socket of sockets) socket?.destroy();
    expect(sockets.map((socket) => socket !== undefined)).toEqual([true, true]);
  });

  it('answers a coded 503 without a gateway, and says that nothing was changed', async () => {
    const { url, unanswered } = await frontOf(await nobody());
    const response = await fetch(url, { headers: { 'x-request-id': 'mine-2' } });
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toEqual({
      code: 'service_unavailable',
      request_id: 'mine-2',
      error: expect.stringContaining('Nothing was changed'),
    });
    expect(unanswered).toEqual(['no_gateway']);
  });

  it('never sends a request twice: the loss of its gateway is answered with a coded 503', async () => {
    let seen = 0;
    const dying: RequestListener = (request) => {
      seen += 1;
      request.socket.destroy();
    };
    const { url, unanswered } = await frontOf(await gateway(dying), await gateway(dying));
    const response = await fetch(url, { method: 'POST', body: '{}' });
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      code: 'service_unavailable',
      error: expect.stringContaining('may have happened'),
    });
    expect(seen).toBe(1);
    expect(unanswered).toEqual(['broken']);
  });

  it('returns an answer that was sent before the whole body was received', async () => {
    const address = await gateway((_request, response) => {
      response.writeHead(413, { 'Content-Type': 'application/json' });
      response.end('{"code":"invalid_request"}');
    });
    const { url, unanswered } = await frontOf(address);
    for (let count = 0; count < 5; count += 1) {
      const response = await fetch(url, { method: 'POST', body: 'x'.repeat(5_000_000) });
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({ code: 'invalid_request' });
    }
    expect(unanswered).toEqual([]);
  });

  it('closes the connection to the gateway when the client disconnects', async () => {
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const address = await gateway((request) => {
      request.socket.once('close', () => left.resolve());
      arrived.resolve();
    });
    const { url, unanswered } = await frontOf(address);
    const client = new AbortController();
    const asked = fetch(url, { signal: client.signal });
    await arrived.promise;
    client.abort();
    await expect(asked).rejects.toThrow('aborted');
    await left.promise;
    expect(unanswered).toEqual([]);
  });

  it('refuses malformed HTTP with a coded answer', async () => {
    const { port } = await frontOf(await nobody());
    const socket = connect(port, host);
    socket.write('GET / HTTP/1.1\r\nbad header\r\n\r\n');
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"code":"invalid_request"');
  });

  it('writes no refusal of what follows a request into the answer of that request', async () => {
    const arrived = Promise.withResolvers<() => void>();
    const { port } = await frontOf(await gateway((_, response) => arrived.resolve(() => response.end('ok'))));
    const socket = connect(port, host);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n\0\r\n\r\n');
    (await arrived.promise)();
    expect((await text(socket)).match(/HTTP\/1\.1 \d+|ok$/g)).toEqual(['HTTP/1.1 200', 'ok']);
  });

  it('gives one address an eighth of its connections, whose half headers drop each other alone', async () => {
    const { port, url, unanswered } = await frontWith({ connections: 200 }, await gateway(echo));
    const elsewhere = connect({ port, host, localAddress: '127.0.0.2' });
    await once(elsewhere, 'connect');
    const half = Array.from({ length: 60 }, () => connect(port, host).on('error', () => undefined));
    for (const socket of half) socket.write('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    const dropped = half.slice(0, 30).map((socket) => once(socket, 'close'));
    await Promise.race(dropped);
    expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(201);
    elsewhere.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await text(elsewhere)).toMatch(/^HTTP\/1\.1 201 /);
    expect(new Set(unanswered)).toEqual(new Set(['full']));
    for (const socket of half) socket.destroy();
  });

  it('hands on the client that a trusted proxy before it names, which is no one address', async () => {
    const { url } = await frontWith({ trusted: ['127.0.0.1'] }, await gateway(echo));
    const given = { 'x-forwarded-for': '203.0.113.9, 192.0.2.1' };
    const { headers } = Object(await (await fetch(url, { headers: given })).json());
    expect(headers).toMatchObject({ 'x-forwarded-for': '192.0.2.1' });
  });

  it('limits its connections, and drops the one that has gone longest without a request', async () => {
    const { url, port, unanswered } = await frontWith({ connections: 2 }, await gateway(echo));
    const open = () => {
      const socket = connect(port, host).on('error', () => undefined);
      return { socket, ended: once(socket, 'close') };
    };
    const kept = [open(), open()];
    await Promise.all(kept.map(({ socket }) => once(socket, 'connect')));
    // The one that has waited longest is closed by the front, without a response.
    expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(201);
    await kept[0]?.ended;
    expect(unanswered).toEqual(['full']);
    kept[1]?.socket.destroy();
  });
});
