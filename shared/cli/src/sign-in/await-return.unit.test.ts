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

it('does not say that a person is signed in who has refused', async () => {
  await using returning = await awaitReturn(() => undefined);
  const pages = ['error=access_denied', 'code=ours'].map(async (query) => {
    const page = await fetch(`${returning.redirectUri}?${query}`);
    return page.text();
  });
  expect(await Promise.all(pages)).toEqual([
    'You are not signed in: the command says why. This page can be closed.',
    'You are signed in. This page can be closed.',
  ]);
});
