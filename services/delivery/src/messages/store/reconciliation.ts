import type { PostingChannel } from '@stanza/contracts';
import { acrossOrganizations, firstIdAt, type Queryable, statement } from '@stanza/runtime';

/** Days before the moment in question from which conversations are taken: one that is used is used within a week. */
const daysBefore = 7;

// By the index of ids, however many messages there are.
const places = statement<PostingChannel>(
  'posting-channels',
  `select distinct workspace_id, channel, thread_ts
   from messages
   where id >= ${firstIdAt("$1::timestamptz - $2::integer * interval '1 day'")}
     and channel is not null
     and (workspace_id, channel, coalesce(thread_ts, '')) > ($3, $4, $5)
   order by workspace_id, channel, thread_ts nulls first
   limit $6`,
);

/** Conversations and threads with a post since a week before a moment, of all organizations, in their order. */
export const listChannels = (
  db: Queryable,
  since: Date,
  after: PostingChannel | undefined,
  limit: number,
): Promise<PostingChannel[]> => {
  const from = [after?.workspace_id ?? '', after?.channel ?? '', after?.thread_ts ?? ''];
  return acrossOrganizations(() => db.query(places, [since, daysBefore, ...from, limit]));
};

const unknown = statement<{ id: string }>(
  'posts-unlogged',
  `select given.id
   from unnest($1::uuid[]) as given (id)
   where not exists (
     select
     from messages
     where messages.id = given.id
   )`,
);

/** Of the ids of messages, those that no organization's log has. */
export const unloggedOf = async (db: Queryable, ids: readonly string[]): Promise<Set<string>> => {
  if (ids.length === 0) return new Set();
  const rows = await acrossOrganizations(() => db.query(unknown, [ids]));
  return new Set(rows.map((it) => it.id));
};
