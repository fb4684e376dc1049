import { type Queryable, statement } from '@stanza/runtime';
import type { ChannelSlotRow } from '../domain/rows.ts';

/*
 * One message a second and a burst of three, in one timestamp a channel: `next_free_at` moves on by a second with each
 * message, and a message may start up to two seconds before it. The time is the database's, so that replicas agree.
 */

const claim = statement<{ wait_ms: number }>(
  'slot-claim',
  `insert into channel_slots as slot (workspace_id, channel, next_free_at)
   values ($1, $2, clock_timestamp() + interval '1 second')
   on conflict (workspace_id, channel) do update
   set next_free_at = greatest(slot.next_free_at, clock_timestamp()) + interval '1 second'
   where slot.next_free_at - interval '2 seconds' <= clock_timestamp() + $3 * interval '1 millisecond'
   returning greatest(0, extract(epoch from
     next_free_at - interval '3 seconds' - clock_timestamp()) * 1000)::float8 as wait_ms`,
);

const waiting = statement<{ wait_ms: number }>(
  'slot-waiting',
  `select greatest(0, extract(epoch from
     next_free_at - interval '2 seconds' - clock_timestamp()) * 1000)::float8 as wait_ms
   from channel_slots
   where workspace_id = $1
     and channel = $2`,
);

/** A slot in a channel: when to post, or, when none is free in time, when one will be. */
export interface Slot {
  granted: boolean;
  /** Milliseconds from now. */
  waitMs: number;
}

/** A channel of a workspace; several organizations may share it, and its pace. */
export type ChannelName = Pick<ChannelSlotRow, 'workspace_id' | 'channel'>;

/** Takes the channel's next slot, unless it is further away than `patienceMs`; then nothing is taken. */
export const claimSlot = async (
  db: Queryable,
  { workspace_id, channel }: ChannelName,
  patienceMs: number,
): Promise<Slot> => {
  const [taken] = await db.query(claim, [workspace_id, channel, patienceMs]);
  if (taken) return { granted: true, waitMs: taken.wait_ms };
  const [next] = await db.query(waiting, [workspace_id, channel]);
  return { granted: false, waitMs: next?.wait_ms ?? 0 };
};

const hold = statement<{ channel: string }>(
  'slot-hold',
  `insert into channel_slots as slot (workspace_id, channel, next_free_at)
   values ($1, $2, clock_timestamp() + interval '2 seconds' + $3 * interval '1 second')
   on conflict (workspace_id, channel) do update
   set next_free_at = greatest(slot.next_free_at, excluded.next_free_at)
   returning channel`,
);

/** Keeps everybody from posting to the channel for so many seconds, because the platform asked for it. */
export const holdChannel = async (
  db: Queryable,
  { workspace_id, channel }: ChannelName,
  seconds: number,
): Promise<void> => {
  await db.query(hold, [workspace_id, channel, seconds]);
};

const forget = statement<{ channel: string }>(
  'slot-forget',
  `delete from channel_slots
   where next_free_at < clock_timestamp() - interval '1 hour'`,
);

/** Drops the slots of channels that have been quiet; a new row says the same as an old one. */
export const forgetQuietChannels = async (db: Queryable): Promise<void> => {
  await db.query(forget);
};
