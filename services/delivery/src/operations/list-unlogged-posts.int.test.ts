import { describe, expect, it } from '@jest/globals';
import type { PostingChannel } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { ask, connected, newChannel, openWorld, rowsOf, send } from '../testing/world.ts';
import { listPostingChannels } from './list-posting-channels.ts';
import { listUnloggedPosts } from './list-unlogged-posts.ts';

describe('posts that the log of messages lacks', () => {
  const world = sharedByTests(openWorld);
  const since = new Date(Date.now() - 3_600_000).toISOString();

  /** Loses the row of a message, as the promotion of a standby that was behind does. */
  const lose = (id: string) =>
    world().database.query({ name: 'lose-message', text: 'delete from messages where id = $1' }, [id]);

  const placesOf = async (channel: string): Promise<PostingChannel[]> => {
    const { places } = await ask(listPostingChannels(world()), { since });
    return places.filter((it) => it.channel === channel);
  };

  it('are listed by their channel, and those that the log has are not', async () => {
    const principal = await connected(world());
    const channel = newChannel();
    await send(world(), principal, { channel_id: channel });
    await send(world(), principal, { channel_id: channel });
    const [lost, kept] = await rowsOf(world(), principal);
    await lose(lost?.id ?? '');
    const [place] = await placesOf(channel);
    const reply = await ask(listUnloggedPosts(world()), { ...place, since });
    expect(reply).toMatchObject({ posts: 2, next_cursor: null, unreadable: null, retry_after: null });
    expect(reply.unlogged).toMatchObject([{ message_id: lost?.id, message_ts: lost?.message_ts }]);
    expect(kept?.id).toBeDefined();
  });

  it('are no posts from before the moment, and none of another organization in the workspace', async () => {
    const [one, other] = [await connected(world()), await connected(world())];
    const channel = newChannel();
    await send(world(), one, { channel_id: channel });
    await send(world(), other, { channel_id: channel });
    const places = await placesOf(channel);
    const replies = await Promise.all(
      places.map((place) => ask(listUnloggedPosts(world()), { ...place, since })),
    );
    expect(replies.flatMap((it) => it.unlogged)).toEqual([]);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    for (const place of places) {
      const reply = await ask(listUnloggedPosts(world()), { ...place, since: later });
      expect(reply.posts).toBe(0);
    }
  });

  it('are not guessed where a channel cannot be read: the reason is given', async () => {
    const principal = await connected(world());
    const channel = newChannel();
    await send(world(), principal, { channel_id: channel });
    const [place] = await placesOf(channel);
    const unknown = { workspace_id: 'T0NOWHERE', channel, thread_ts: null };
    expect(await ask(listUnloggedPosts(world()), { ...unknown, since })).toMatchObject({
      unreadable: 'chat_not_connected',
    });
    const closed = { workspace_id: place?.workspace_id ?? '', channel: 'C0SECRET', thread_ts: null };
    expect(await ask(listUnloggedPosts(world()), { ...closed, since })).toMatchObject({
      unreadable: 'not_in_channel',
      unlogged: [],
    });
  });
});
