import { setTimeout as pause } from 'node:timers/promises';
import {
  listPostingChannels,
  listUnloggedPosts,
  moment,
  type PostingChannel,
  type ReplyOf,
} from '@stanza/contracts';
import type { CallContext, RpcClient } from '@stanza/runtime';
import { Command } from 'commander';
import { z } from 'zod';
import { StackFailure } from '../failure.ts';
import { asOperator, checked } from './operator.ts';
import { print } from './print.ts';

/** Places of one call. */
const pageSize = 500;

/** A post without a row, and where it is. */
type UnloggedPost = PostingChannel & ReplyOf<typeof listUnloggedPosts>['unlogged'][number];

/** The outcome of a comparison. */
interface Reconciliation {
  since: string;
  places: number;
  posts: number;
  unlogged: UnloggedPost[];
  /** Places that could not be read, wholly or in part. */
  unreadable: (PostingChannel & { reason: string })[];
}

interface Caller {
  rpc: RpcClient;
  newCall: () => CallContext;
}

/** A channel as it is typed: `T0WORKSPACE/C0CHANNEL`. */
export const placeOf = (text: string): PostingChannel => {
  const [workspace_id = '', channel = '', ...more] = text.split('/');
  if (workspace_id !== '' && channel !== '' && more.length === 0) {
    return { workspace_id, channel, thread_ts: null };
  }
  throw new StackFailure(
    `${text} is not a channel.`,
    'Write the ids of the workspace and of the channel: T0ABC/C0DEF.',
  );
};

/** A time as it is typed, in UTC with milliseconds as services take it. */
export const sinceOf = (text: string): string =>
  new Date(checked(z.object({ since: moment }), { since: text }).since).toISOString();

async function* knownPlaces({ rpc, newCall }: Caller, since: string): AsyncGenerator<PostingChannel> {
  let after: PostingChannel | undefined;
  for (;;) {
    const { places } = await rpc.call(listPostingChannels, { since, after, limit: pageSize }, newCall());
    yield* places;
    after = places.at(-1);
    if (places.length < pageSize) return;
  }
}

/** Reads a place page by page; a page that the platform refuses for now is waited for. */
const readPlace = async (
  { rpc, newCall }: Caller,
  place: PostingChannel,
  into: Reconciliation,
): Promise<void> => {
  let cursor: string | undefined;
  for (;;) {
    const input = checked(listUnloggedPosts.input, { ...place, since: into.since, cursor });
    const page = await rpc.call(listUnloggedPosts, input, newCall());
    if (page.retry_after !== null) {
      await pause(page.retry_after * 1_000);
      continue;
    }
    into.posts += page.posts;
    into.unlogged.push(...page.unlogged.map((post) => ({ ...place, ...post })));
    if (page.unreadable !== null) into.unreadable.push({ ...place, reason: page.unreadable });
    cursor = page.next_cursor ?? undefined;
    if (cursor === undefined) return;
  }
};

/** Compares the histories of all known places, and of the given ones, with the log. */
export const reconcile = async (
  caller: Caller,
  since: string,
  given: readonly PostingChannel[],
): Promise<Reconciliation> => {
  const result: Reconciliation = { since, places: 0, posts: 0, unlogged: [], unreadable: [] };
  const isGiven = ({ workspace_id, channel }: PostingChannel) =>
    given.some((it) => it.workspace_id === workspace_id && it.channel === channel);
  const read = async (place: PostingChannel) => {
    result.places += 1;
    await readPlace(caller, place, result);
  };
  for await (const place of knownPlaces(caller, since)) {
    if (place.thread_ts !== null || !isGiven(place)) await read(place);
  }
  for (const place of given) await read(place);
  return result;
};

/** `npm run admin -- messages …`: the log of messages and the platform. */
export const messages = (): Command => {
  const group = new Command('messages').description('the log of messages, and what stands in the channels');
  group
    .command('reconcile')
    .description('list the posts in channels that the log lacks, as after the promotion of a standby')
    .requiredOption('--since <time>', 'like 2027-01-01T00:00:00Z: somewhat before the loss')
    .option('--channel <ids...>', 'further channels, as T0ABC/C0DEF; the log knows those of the week before')
    .action(async ({ since, channel = [] }) => {
      const from = sinceOf(since);
      const given: PostingChannel[] = channel.map(placeOf);
      const result = await asOperator((rpc, newCall) => reconcile({ rpc, newCall }, from, given));
      await print(JSON.stringify(result, null, 2));
    });
  return group;
};
