import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { Client } from 'undici';
import { type Progress, requestAnswer } from './transport.ts';

const started = async (answer: (response: ServerResponse, number: number) => void) => {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    answer(response, seen.length);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const client = new Client(`http://127.0.0.1:${port}`);
  const close = async () => {
    await client.destroy();
    server.close();
  };
  return { seen, client, close };
};

const nothingSent = (): Progress => ({ bytesMayHaveLeft: false });

describe('a request to the platform or to a destination', () => {
  it('is never written once its time has ended while it waited for a connection', async () => {
    const held = Promise.withResolvers<ServerResponse>();
    const { seen, client, close } = await started((response, number) => {
      if (number === 1) held.resolve(response);
      else response.end();
    });
    try {
      const get = (path: string, progress: Progress, timeoutMs: number) =>
        requestAnswer(client, { path, method: 'GET' }, { progress, timeoutMs });
      const first = get('/first', nothingSent(), 10_000);
      const progress = nothingSent();
      await expect(get('/late', progress, 1)).rejects.toThrow(
        expect.objectContaining({ name: 'TimeoutError' }),
      );
      (await held.promise).end();
      await first;
      await get('/next', nothingSent(), 10_000);
      expect(seen).toEqual(['/first', '/next']);
      expect(progress.bytesMayHaveLeft).toBe(false);
    } finally {
      await close();
    }
  });

  it('has the final answer after an informational one', async () => {
    const { client, close } = await started((response) => {
      response.writeProcessing();
      response.writeHead(418).end('a teapot');
    });
    try {
      const how = { progress: nothingSent(), timeoutMs: 10_000 };
      const answer = await requestAnswer(client, { path: '/', method: 'GET' }, how);
      expect([answer.statusCode, answer.body.toString()]).toEqual([418, 'a teapot']);
      expect(how.progress.bytesMayHaveLeft).toBe(true);
    } finally {
      await close();
    }
  });

  it('keeps the status of an answer that is cut off, and says why', async () => {
    const { client, close } = await started((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('the start', () => response.destroy());
    });
    try {
      const answer = await requestAnswer(
        client,
        { path: '/', method: 'GET' },
        { progress: nothingSent(), timeoutMs: 10_000 },
      );
      expect([answer.statusCode, answer.body.toString()]).toEqual([200, 'the start']);
      expect(answer.failure).toBeInstanceOf(Error);
    } finally {
      await close();
    }
  });
});
