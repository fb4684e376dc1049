import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fetchKeySet, ProviderUnreachable } from './fetch-key-set.ts';

describe('fetching a key set', () => {
  let server: Server | undefined;

  afterEach(async () => {
    server?.closeAllConnections();
    server?.close();
    server = undefined;
  });

  const serve = async (listener: RequestListener): Promise<string> => {
    server = createServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}/keys`;
  };

  it('returns the published keys', async () => {
    const url = await serve((_, response) => response.end('{"keys":[{"kty":"EC","kid":"a"}]}'));
    expect(await fetchKeySet(url)).toEqual({ keys: [{ kty: 'EC', kid: 'a' }] });
  });

  it.each<[string, RequestListener]>([
    ['an error', (_, response) => response.writeHead(500).end('{"keys":[]}')],
    ['no JSON', (_, response) => response.end('<html>')],
    ['JSON that is not a key set', (_, response) => response.end('{"keys":{}}')],
    [
      'more than the largest accepted key set',
      (_, response) => response.end(`{"keys":[],"x":"${'x'.repeat(300_000)}"}`),
    ],
    ['a redirect', (_, response) => response.writeHead(302, { location: '/other' }).end()],
    ['nothing, and closes the connection', (request) => request.socket.destroy()],
  ])('fails with ProviderUnreachable when the provider answers %s', async (_, listener) => {
    await expect(fetchKeySet(await serve(listener))).rejects.toThrow(ProviderUnreachable);
  });
});
