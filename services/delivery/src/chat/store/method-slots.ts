import { deletion, type Queryable, statement } from '@stanza/runtime';
import type { MethodSlotRow } from '../slot-tables.ts';
import type { Slot } from './channel-slots.ts';

/*
 * The pace of a method in a workspace, in one timestamp as that of a channel: `next_free_at` moves on with each call, and
 * a call may start a burst before it. The time is the database's, so that replicas agree.
 */

/** SQL expressions of milliseconds. */
interface Claim {
  spacing: string;
  /** How long before its time a call may start. */
  ahead: string;
  patience: string;
}

/**
 * SQL that takes the next slots of methods, unless they are later than the patience.
 * @param asked a query for their workspaces and names
 */
const takingSlots = (asked: string, { spacing, ahead, patience }: Claim): string =>
  `insert into method_slots as slot (workspace_id, method, next_free_at)
   select asked.workspace_id, asked.method, clock_timestamp() + ${spacing} * interval '1 millisecond'
   from (${asked}) as asked (workspace_id, method)
   on conflict (workspace_id, method) do update
   set next_free_at = greatest(slot.next_free_at, clock_timestamp()) + ${spacing} * interval '1 millisecond'
   where slot.next_free_at - ${ahead} * interval '1 millisecond'
     <= clock_timestamp() + ${patience} * interval '1 millisecond'`;

const claim = statement<{ wait_ms: number }>(
  'method-slot-claim',
  `${takingSlots('select $1::text, $2::text', { spacing: '$3::float8', ahead: '$4::float8', patience: '$5::float8' })}
   returning greatest(0, extract(epoch from
     next_free_at - ($3::float8 + $4::float8) * interval '1 millisecond' - clock_timestamp()) * 1000)::float8 as wait_ms`,
);

const waiting = statement<{ wait_ms: number }>(
  'method-slot-waiting',
  `select greatest(0, extract(epoch from
     next_free_at - $3::float8 * interval '1 millisecond' - clock_timestamp()) * 1000)::float8 as wait_ms
   from method_slots
   where workspace_id = $1
     and method = $2`,
);

/** A method of a workspace; several organizations may share it, and its pace. */
export type MethodName = Pick<MethodSlotRow, 'workspace_id' | 'method'>;

/** The rate of a method. */
export interface Pace {
  /** Milliseconds between two calls, in the long run. */
  spacingMs: number;
  /** Calls that may be made at once after an idle period. */
  burst: number;
}

const aheadOf = ({ spacingMs, burst }: Pace): number => spacingMs * (burst - 1);

/** SQL that takes the next slot of a method where it is free now. */
export const takingFreeSlot = (asked: string, pace: Pace): string =>
  takingSlots(asked, { spacing: `${pace.spacingMs}`, ahead: `${aheadOf(pace)}`, patience: '0' });

/**
 * The platform's limit of a method in a workspace: fifty calls a minute, plus an unspecified burst. The burst here is
 * two of the largest bulk sends to people; a 429 pauses the method for all callers.
 */
export const fiftyAMinute: Pace = { spacingMs: 1_200, burst: 200 };

/** Takes the method's next slot, unless it is later than `patienceMs`; then none is taken. */
export const claimMethodSlot = async (
  db: Queryable,
  { workspace_id, method }: MethodName,
  pace: Pace,
  patienceMs: number,
): Promise<Slot> => {
  const aheadMs = aheadOf(pace);
  const [taken] = await db.query(claim, [workspace_id, method, pace.spacingMs, aheadMs, patienceMs]);
  if (taken) return { granted: true, waitMs: taken.wait_ms };
  const [next] = await db.query(waiting, [workspace_id, method, aheadMs]);
  return { granted: false, waitMs: next?.wait_ms ?? 0 };
};

const hold = statement<Record<string, never>>(
  'method-slot-hold',
  `insert into method_slots as slot (workspace_id, method, next_free_at)
   values ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond')
   on conflict (workspace_id, method) do update
   set next_free_at = greatest(slot.next_free_at, excluded.next_free_at)`,
);

/** Pauses calls of the method in the workspace for the given seconds, at the platform's request. */
export const holdMethod = async (
  db: Queryable,
  { workspace_id, method }: MethodName,
  pace: Pace,
  seconds: number,
): Promise<void> => {
  await db.query(hold, [workspace_id, method, seconds * 1_000 + aheadOf(pace)]);
};

const forget = deletion('method-slots-forget', {
  from: 'method_slots',
  where: "next_free_at < clock_timestamp() - interval '1 hour'",
});

/** Deletes the slots of idle methods; a new row is equivalent to an old one. */
export const forgetQuietMethods = async (db: Queryable): Promise<void> => {
  await forget(db);
};
