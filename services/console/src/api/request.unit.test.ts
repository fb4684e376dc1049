import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError, request } from './request.ts';

describe('a request of the console', () => {
  let server: Server;
  let base: string;
  let seen: { url: string | undefined; headers: Record<string, unknown>; body: string }[];
  let answer: { status: number; body: string };
  let cutAt: number | undefined;

  beforeEach(async () => {
    seen = [];
    cutAt = undefined;
    answer = { status: 200, body: '{"ok":true}' };
    server = createServer((incoming, response) => {
      const parts: string[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part.toString()));
      incoming.on('end', () => {
        seen.push({ url: incoming.url, headers: incoming.headers, body: parts.join('') });
        response.writeHead(answer.status, { 'X-Request-Id': 'r-1' });
        if (cutAt === undefined) return void response.end(answer.body);
        response.write(answer.body.slice(0, cutAt), () => response.destroy());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    base = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  });
  afterEach(() => {
    server.close();
  });

  it('names itself and its place, and leaves out what is not given', async () => {
    const place = { organization: 'o', environment: 'preview' } as const;
    const query = { q: 'a b', none: undefined, empty: '', offset: 0 };
    expect(await request('POST', `${base}/v1/x`, { place, query, body: { a: 1 } })).toEqual({ ok: true });
    expect(seen).toEqual([
      {
        url: '/v1/x?q=a+b&offset=0',
        headers: expect.objectContaining({
          'x-stanza-console': '1',
          'x-stanza-organization': 'o',
          'x-stanza-environment': 'preview',
          'content-type': 'application/json',
        }),
        body: '{"a":1}',
      },
    ]);
  });

  it('is unreached where the line breaks in the middle of the answer', async () => {
    cutAt = 4;
    await expect(request('GET', `${base}/v1/x`)).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  it('is unreached where a page answers in the place of the server', async () => {
    answer = { status: 200, body: '<html>Sign in to this network</html>' };
    await expect(request('GET', `${base}/v1/x`)).rejects.toMatchObject({ status: 0, code: 'unreachable' });
  });

  it('answers nothing for an empty answer', async () => {
    answer = { status: 200, body: '' };
    expect(await request('GET', `${base}/v1/x`)).toBeNull();
  });

  it('fails with the code, the sentence and the id of the request', async () => {
    answer = { status: 403, body: '{"error":"No.","code":"insufficient_scope","required_scopes":["a:b"]}' };
    await expect(request('GET', `${base}/v1/x`)).rejects.toMatchObject({
      message: 'No.',
      status: 403,
      code: 'insufficient_scope',
      requestId: 'r-1',
      body: { required_scopes: ['a:b'] },
    });
  });

  it('fails with a sentence of its own where what answers is no API', async () => {
    answer = { status: 502, body: '<html>' };
    await expect(request('GET', `${base}/v1/x`)).rejects.toMatchObject({
      message: 'The server answered 502.',
      status: 502,
    });
  });

  it('says that nothing answers', async () => {
    server.close();
    server.closeAllConnections();
    const failed = await request('GET', `${base}/v1/x`).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(ApiError);
    expect(failed).toMatchObject({ status: 0, code: 'unreachable' });
  });
});
