import type { ErrorCode } from '@stanza/contracts';
import {
  deletedAtOnce,
  inBatches,
  LostLease,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { DeferredOrigin, DeferredSendRow } from '../../store/rows.ts';
import type { ReservedOperation } from './reservations.ts';

const insert = statement<Record<string, never>>(
  'deferred-insert',
  `insert into deferred_sends (organization_id, environment, operation_id, origin, origin_id, status, due_at,
     give_up_at, created_at, traceparent)
   select $1, $2, $3, $4, $5, 'waiting', at, at + $6::float8 * interval '1 millisecond', at, $7
   from date_trunc('milliseconds', clock_timestamp()) as at
   on conflict do nothing`,
);

/** A message that is to be sent now, by the replica that claims it first. */
export interface NewDeferredSend {
  operationId: string;
  origin: DeferredOrigin;
  originId: string;
  /** Milliseconds for which it is tried while transient errors postpone it. */
  patienceMs: number;
  /** Of the trace that it goes on with; it begins one of its own where none is given. */
  traceparent?: string | undefined;
}

/** Writes down a message to be sent; once by its operation. */
export const deferSend = async (tenant: Tenant, tx: Transaction, send: NewDeferredSend): Promise<void> => {
  const { organizationId, environment } = tenant;
  const { operationId, origin, originId, patienceMs, traceparent } = send;
  const values = [organizationId, environment, operationId, origin, originId, patienceMs, traceparent];
  await tx.query(insert, values);
};

/** A message that this process has claimed; `tries` is its fence. */
export type ClaimedSend = DeferredSendRow & {
  /** It has been tried for as long as it may be. */
  is_over: boolean;
};

/** Names a lease: that of a message, by the number of the claim. */
export type Lease = Pick<DeferredSendRow, 'operation_id' | 'tries'>;

// Organizations take turns: the first message of each, then the second of each, whoever has had messages waiting for
// longer. What an organization has under way here already counts, and nobody gets more than its share of the places.
// Due times and leases are by the database's clock, and each claim is a new fence.
const claim = statement<ClaimedSend>(
  'deferred-claim',
  `with recursive organization as (
     (select organization_id
      from deferred_sends
      where status = 'waiting'
      order by organization_id
      limit 1)
     union all
     select (
       select send.organization_id
       from deferred_sends as send
       where send.status = 'waiting'
         and send.organization_id > organization.organization_id
       order by send.organization_id
       limit 1)
     from organization
     where organization.organization_id is not null
   ),
   due as (
     select first.organization_id, first.environment, first.operation_id
     from organization
     left join unnest($3::uuid[], $4::integer[]) as busy (organization_id, places)
       on busy.organization_id = organization.organization_id
     cross join lateral (
       select send.organization_id, send.environment, send.operation_id, send.due_at,
         coalesce(busy.places, 0) + row_number() over (order by send.due_at) as turn
       from deferred_sends as send
       where send.status = 'waiting'
         and send.organization_id = organization.organization_id
         and send.due_at <= (select clock_timestamp())
       order by send.due_at
       limit greatest(0, $5 - coalesce(busy.places, 0))) as first
     order by first.turn, first.due_at
     limit $2
   ),
   mine as (
     select send.organization_id, send.environment, send.operation_id
     from due
     join deferred_sends as send
       on send.organization_id = due.organization_id
       and send.environment = due.environment
       and send.operation_id = due.operation_id
     where send.status = 'waiting'
       and send.due_at <= clock_timestamp()
     for update of send skip locked
   )
   update deferred_sends as send
   set due_at = clock_timestamp() + $1 * interval '1 millisecond', tries = send.tries + 1
   from mine
   where send.organization_id = mine.organization_id
     and send.environment = mine.environment
     and send.operation_id = mine.operation_id
   returning send.*, send.give_up_at <= clock_timestamp() as is_over`,
);

/** How much a process takes on. */
export interface DeferredRoom {
  /** Messages that it takes now, at most. */
  places: number;
  /** Messages of one organization that it has under way, at most. */
  share: number;
  /** Messages that it has under way, by organization. */
  underWay: ReadonlyMap<string, number>;
}

/** Claims messages that are due, of any tenant, for `leaseMs` milliseconds; after that others may claim them. */
export const claimDeferred = (
  db: Queryable,
  leaseMs: number,
  { places, share, underWay }: DeferredRoom,
): Promise<ClaimedSend[]> =>
  db.query(claim, [leaseMs, places, [...underWay.keys()], [...underWay.values()], share]);

const postpone = statement<{ operation_id: string }>(
  'deferred-postpone',
  `update deferred_sends
   set due_at = clock_timestamp() + $5 * interval '1 millisecond', error = $6
   where organization_id = $1 and environment = $2 and operation_id = $3 and tries = $4 and status = 'waiting'
   returning operation_id`,
);

const requireOne = (rows: readonly object[]): void => {
  if (rows.length === 0) throw new LostLease();
};

/**
 * Postpones a message that could not be sent now.
 * @throws LostLease when another process has claimed it, or it has ended
 */
export const postponeDeferred = async (
  tenant: Tenant,
  db: Queryable,
  { operation_id, tries }: Lease,
  delayMs: number,
  error: ErrorCode,
): Promise<void> => {
  const { organizationId, environment } = tenant;
  requireOne(await db.query(postpone, [organizationId, environment, operation_id, tries, delayMs, error]));
};

const hold = statement<{ operation_id: string }>(
  'deferred-hold',
  `select operation_id
   from deferred_sends
   where organization_id = $1 and environment = $2 and operation_id = $3 and tries = $4 and status = 'waiting'
   for update`,
);

/**
 * Keeps the lease from other processes until the transaction ends.
 * @throws LostLease when another process has it, or the message has ended
 */
export const holdLease = async (
  tenant: Tenant,
  tx: Transaction,
  { operation_id, tries }: Lease,
): Promise<void> => {
  requireOne(await tx.query(hold, [tenant.organizationId, tenant.environment, operation_id, tries]));
};

const end = statement<Record<string, never>>(
  'deferred-end',
  `update deferred_sends
   set status = 'ended', ended_at = $4
   where organization_id = $1 and environment = $2 and operation_id = $3 and status = 'waiting'`,
);

/** The message has its outcome, or never will have one of its own. */
export const endDeferred = async (
  tenant: Tenant,
  tx: Transaction,
  operationId: string,
  at: Date,
): Promise<void> => {
  await tx.query(end, [tenant.organizationId, tenant.environment, operationId, at]);
};

const waiting = statement<{ operation_id: string }>(
  'deferred-waiting',
  `select send.operation_id
   from unnest($1::uuid[], $2::text[], $3::uuid[]) as asked (organization_id, environment, operation_id)
   join deferred_sends as send
     on send.organization_id = asked.organization_id
     and send.environment = asked.environment
     and send.operation_id = asked.operation_id
   where send.status = 'waiting'`,
);

/** Those of the operations that are still to be sent, whatever their messages say. */
export const findWaiting = async (
  db: Queryable,
  operations: readonly ReservedOperation[],
): Promise<Set<string>> => {
  const rows = await db.query(waiting, [
    operations.map((it) => it.organization_id),
    operations.map((it) => it.environment),
    operations.map((it) => it.operation_id),
  ]);
  return new Set(rows.map((it) => it.operation_id));
};

const forget = statement<object>(
  'deferred-forget',
  `with ended as (
     select organization_id, environment, operation_id
     from deferred_sends
     where status = 'ended' and ended_at < $1
     order by ended_at
     limit ${deletedAtOnce}
     for update skip locked
   )
   delete from deferred_sends as send
   using ended
   where send.organization_id = ended.organization_id
     and send.environment = ended.environment
     and send.operation_id = ended.operation_id
   returning 1`,
);

/** Deletes messages that ended before a moment. */
export const forgetDeferred = (db: Queryable, before: Date): Promise<number> =>
  inBatches(() => db.query(forget, [before]));

const overdue = statement<{ waiting: number; age: number }>(
  'deferred-gauges',
  `select count(*) as waiting,
     coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
   from deferred_sends
   where status = 'waiting'`,
);

/** How many messages wait, and for how many seconds the oldest does. */
export const countWaiting = async (db: Queryable): Promise<{ waiting: number; age: number }> => {
  const [row] = await db.query(overdue);
  return row ?? { waiting: 0, age: 0 };
};
