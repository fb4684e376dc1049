import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { awaitReturn } from './await-return.ts';

it('waits on for the person, whatever a stranger asks for', async () => {
  await using returning = await awaitReturn((query) => {
    if (query.get('state') !== 'ours') throw new Error('of another sign-in');
  });
  const { port } = new URL(returning.redirectUri);
  const statusOf = async (path: string): Promise<number | undefined> => {
    const [response]: IncomingMessage[] = await once(get({ host: '127.0.0.1', port, path }), 'response');
    response?.resume();
    return response?.statusCode;
  };
  const arrived = returning.arrived(new AbortController().signal);
  for (const path of ['//', 'http://', '/', '*']) expect([path, await statusOf(path)]).toEqual([path, 404]);
  expect(await statusOf('/callback?state=theirs&code=theirs')).toBe(400);
  expect(await statusOf('/callback?state=ours&code=ours')).toBe(200);
  expect((await arrived).get('code')).toBe('ours');
});
