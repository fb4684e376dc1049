import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import express from 'express';
import { listening, sendBytes } from '../testing/client.ts';
import { createHttpServer } from './http-server.ts';
import { readBytes } from './read-bytes.ts';

const limit = 1_024;
const far = 3_600_000;

describe('reading a body', () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    const app = express();
    app.post('/', async (request, response) => {
      try {
        const bytes = await readBytes(request, response, { limit, withinMs: undefined, what: 'body' });
        response.set('Connection', 'close').send(`${bytes.length} bytes`);
      } catch (error) {
        const status = error instanceof CodedError ? error.status : 500;
        response.set('Connection', 'close').status(status).end();
      }
    });
    app.get('/', (_request, response) => void response.set('Connection', 'close').end('unread'));
    const timeouts = { headersMs: far, requestMs: far, silenceMs: far, checkMs: far };
    server = createHttpServer(app, {
      connections: 10,
      onDropped: () => undefined,
      onRefused: () => undefined,
      headers: {},
      timeouts,
    });
    port = await listening(server);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const head = (method: string, ...headers: readonly string[]): string =>
    [`${method} / HTTP/1.1`, 'Host: x', ...headers, '', ''].join('\r\n');
  const length = (bytes: number): string => `Content-Length: ${bytes}`;
  const asks = 'Expect: 100-continue';
  const sends = (text: string | Uint8Array) => (socket: Socket) => void socket.write(text);

  it.each([
    ['declares too much', head('POST', length(limit + 1))],
    ['declares too much in a coding', head('POST', length(limit + 1), 'Content-Encoding: gzip')],
    [
      'sends too much without saying how much it is',
      `${head('POST', 'Transfer-Encoding: chunked')}401\r\n${'x'.repeat(limit + 1)}\r\n`,
    ],
    ['asks before it sends too much', head('POST', length(limit + 1), asks)],
  ])('refuses one at once that %s, and never ends', async (_, bytes) => {
    expect(await sendBytes(port, sends(bytes))).toMatch(/^HTTP\/1.1 413 /);
  });

  it('refuses a small one at its end that grows too large', async () => {
    const coded = gzipSync('x'.repeat(limit + 1));
    const begin = Buffer.from(head('POST', length(coded.length), 'Content-Encoding: gzip'));
    expect(await sendBytes(port, sends(Buffer.concat([begin, coded])))).toMatch(/^HTTP\/1.1 413 /);
  });

  it('lets a client send one that it asks about', async () => {
    const answer = await sendBytes(port, (socket) => {
      socket.write(head('POST', length(limit), asks));
      socket.once('data', () => socket.write('x'.repeat(limit)));
    });
    expect(answer).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
    expect(answer).toMatch(/1024 bytes$/);
  });

  it('asks for none that nobody reads', async () => {
    const answer = await sendBytes(port, sends(head('GET', length(limit), asks)));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(answer).toMatch(/unread$/);
  });
});
