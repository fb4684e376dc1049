import { deletion, type Queryable, statement } from '@stanza/runtime';
import type { ChannelSlotRow } from '../slot-tables.ts';

/*
 * One message a second and a burst of three, in one timestamp a channel: `next_free_at` moves on by a second with each
 * message, and a message may start up to two seconds before it. The time is the database's, so that replicas agree.
 */

// In the order of their keys, so that two replicas claiming the same channels never deadlock.
const claim = statement<ChannelName & { wait_ms: number }>(
  'slots-claim',
  `insert into channel_slots as slot (workspace_id, channel, next_free_at)
   select workspace_id, channel, clock_timestamp() + interval '1 second'
   from unnest($1::text[], $2::text[]) as asked (workspace_id, channel)
   order by workspace_id, channel
   on conflict (workspace_id, channel) do update
   set next_free_at = greatest(slot.next_free_at, clock_timestamp()) + interval '1 second'
   where slot.next_free_at - interval '2 seconds' <= clock_timestamp()
     + ($3::jsonb ->> (slot.workspace_id || ' ' || slot.channel))::float8 * interval '1 millisecond'
   returning workspace_id, channel, greatest(0, extract(epoch from
     next_free_at - interval '3 seconds' - clock_timestamp()) * 1000)::float8 as wait_ms`,
);

const waiting = statement<ChannelName & { wait_ms: number }>(
  'slots-waiting',
  `select slot.workspace_id, slot.channel, greatest(0, extract(epoch from
     slot.next_free_at - interval '2 seconds' - clock_timestamp()) * 1000)::float8 as wait_ms
   from unnest($1::text[], $2::text[]) as asked (workspace_id, channel)
   join channel_slots as slot
     on slot.workspace_id = asked.workspace_id
     and slot.channel = asked.channel`,
);

/** A slot in a channel: when to post, or, if none is free in time, when the next one is. */
export interface Slot {
  granted: boolean;
  /** Milliseconds from now. */
  waitMs: number;
}

const noSlot: Slot = { granted: false, waitMs: 0 };

/** A channel of a workspace; several organizations may share it, and its pace. */
export type ChannelName = Pick<ChannelSlotRow, 'workspace_id' | 'channel'>;

/** A request for the next slot of a channel. */
export interface SlotWish extends ChannelName {
  /** Milliseconds; a later slot is not taken. */
  patienceMs: number;
}

const keyOf = ({ workspace_id, channel }: ChannelName): string => `${workspace_id} ${channel}`;

const columnsOf = (names: readonly ChannelName[]): string[][] => [
  names.map((it) => it.workspace_id),
  names.map((it) => it.channel),
];

const waitsOf = (rows: readonly (ChannelName & { wait_ms: number })[]): Map<string, number> =>
  new Map(rows.map((row) => [keyOf(row), row.wait_ms]));

/** Takes the next slots of distinct channels; returns them by channel. */
const claimDistinct = async (db: Queryable, wishes: readonly SlotWish[]): Promise<Map<string, Slot>> => {
  const patience = Object.fromEntries(wishes.map((wish) => [keyOf(wish), wish.patienceMs]));
  const taken = waitsOf(await db.query(claim, [...columnsOf(wishes), JSON.stringify(patience)]));
  const slots = new Map([...taken].map(([key, waitMs]) => [key, { granted: true, waitMs }]));
  const refused = wishes.filter((wish) => !taken.has(keyOf(wish)));
  if (refused.length === 0) return slots;
  for (const [key, waitMs] of waitsOf(await db.query(waiting, columnsOf(refused)))) {
    slots.set(key, { granted: false, waitMs });
  }
  return slots;
};

/** Requests for a channel with no more patience than a refused one: their slots would be as late. */
const alsoRefused = (queue: SlotWish[], refused: SlotWish): SlotWish[] => {
  const hopeless = queue.filter((wish) => wish.patienceMs <= refused.patienceMs);
  queue.splice(0, queue.length, ...queue.filter((wish) => wish.patienceMs > refused.patienceMs));
  return hopeless;
};

/**
 * Takes the next slot of each requested channel; one later than its request allows is not taken. Channels requested
 * several times take several rounds.
 */
export const claimSlots = async (db: Queryable, wishes: readonly SlotWish[]): Promise<Slot[]> => {
  const slots = new Map<SlotWish, Slot>();
  const queues = Map.groupBy(wishes, keyOf);
  for (;;) {
    const round = [...queues.values()].flatMap((queue) => queue.shift() ?? []);
    if (round.length === 0) break;
    const claimed = await claimDistinct(db, round);
    for (const wish of round) {
      const slot = claimed.get(keyOf(wish)) ?? noSlot;
      slots.set(wish, slot);
      if (slot.granted) continue;
      for (const hopeless of alsoRefused(queues.get(keyOf(wish)) ?? [], wish)) slots.set(hopeless, slot);
    }
  }
  return wishes.map((wish) => slots.get(wish) ?? noSlot);
};

/** Takes the channel's next slot, unless it is later than `patienceMs`; then none is taken. */
export const claimSlot = async (db: Queryable, channel: ChannelName, patienceMs: number): Promise<Slot> => {
  const [slot] = await claimSlots(db, [{ ...channel, patienceMs }]);
  return slot ?? noSlot;
};

/** Milliseconds until the channel's next slot, of which none is taken. */
export const waitForSlot = async (db: Queryable, channel: ChannelName): Promise<number> =>
  waitsOf(await db.query(waiting, columnsOf([channel]))).get(keyOf(channel)) ?? 0;

const hold = statement<{ channel: string }>(
  'slot-hold',
  `insert into channel_slots as slot (workspace_id, channel, next_free_at)
   values ($1, $2, clock_timestamp() + interval '2 seconds' + $3 * interval '1 second')
   on conflict (workspace_id, channel) do update
   set next_free_at = greatest(slot.next_free_at, excluded.next_free_at)
   returning channel`,
);

/** Pauses posts to the channel for the given seconds, at the platform's request. */
export const holdChannel = async (
  db: Queryable,
  { workspace_id, channel }: ChannelName,
  seconds: number,
): Promise<void> => {
  await db.query(hold, [workspace_id, channel, seconds]);
};

const forget = deletion('slot-forget', {
  from: 'channel_slots',
  where: "next_free_at < clock_timestamp() - interval '1 hour'",
});

/** Deletes the slots of idle channels; a new row is equivalent to an old one. */
export const forgetQuietChannels = async (db: Queryable): Promise<void> => {
  await forget(db);
};
