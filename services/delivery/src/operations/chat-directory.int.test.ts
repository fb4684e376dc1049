import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { z } from 'zod';
import { ask, connected, openWorld, refusalOf, somebody, type World } from '../testing/world.ts';
import { listChatChannels } from './list-chat-channels.ts';
import { listChatPeople } from './list-chat-people.ts';

describe('the channels and people of a connected workspace', () => {
  let world: World;
  let principal: Principal;
  beforeAll(async () => {
    world = await openWorld();
    principal = await connected(world);
  });
  afterAll(() => world.close());

  const page = { limit: 5, cursor: 0 };
  const channels = (query: object, who = principal) =>
    ask(listChatChannels(world), { query: { ...page, ...query } }, who);
  const people = (query: object, who = principal) =>
    ask(listChatPeople(world), { query: { ...page, ...query } }, who);

  it('are found by a part of the name, those that begin with it first', async () => {
    const { data } = await channels({ q: '#DEPLOY' });
    expect(data).toEqual([{ id: 'C0DEPLOYS', name: 'deploys', is_private: false, is_member: true }]);
    const { data: all } = await channels({ q: 'al' });
    expect(all.map(({ name }) => name)).toEqual(['alerts', 'general']);
  });

  it('are found by their id', async () => {
    expect(await channels({ q: 'C0DEPLOYS' })).toMatchObject({ data: [{ name: 'deploys' }] });
    expect(await people({ q: 'U0ADA' })).toMatchObject({ data: [{ name: 'Ada Lovelace' }] });
  });

  it('leave archived channels out', async () => {
    expect(await channels({ q: 'archived' })).toMatchObject({ data: [], next_cursor: null });
  });

  it('come in pages, none twice', async () => {
    const first = await channels({ q: 'volume-1' });
    expect(first).toMatchObject({ next_cursor: '5', is_complete: true });
    const second = await channels({ q: 'volume-1', cursor: Number(first.next_cursor) });
    const ids = [...first.data, ...second.data].map(({ id }) => id);
    expect(new Set(ids).size).toBe(10);
  });

  it('are people by name or address', async () => {
    const ada = { id: 'U0ADA', name: 'Ada Lovelace', email: 'ada@example.com' };
    expect(await people({ q: 'lovelace' })).toMatchObject({ data: [ada] });
    expect(await people({ q: 'ADA@' })).toMatchObject({ data: [ada] });
  });

  it('are asked for once, however often somebody types', async () => {
    const listings = async (): Promise<number> => {
      const response = await fetch(`${world.sandbox.url}/control/calls`);
      const calls = z.array(z.object({ method: z.string() })).parse(await response.json());
      return calls.filter(({ method }) => method === 'users.list').length;
    };
    await people({});
    const before = await listings();
    await Promise.all([people({ q: 'a' }), people({ q: 'ad' }), people({ q: 'ada' })]);
    expect(await listings()).toBe(before);
  });

  it('are refused without a connection', async () => {
    expect(await refusalOf(channels({}, somebody()))).toMatchObject({ code: 'chat_not_connected' });
  });
});
