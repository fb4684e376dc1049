import type { ErrorCode } from '@stanza/contracts';
import {
  DueOrganizations,
  deletion,
  LostLease,
  nextDue,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type DeferredOrigin, type DeferredSendRow, deferredSends } from '../message-tables.ts';
import type { ReservedOperation } from './reservations.ts';

const insert = statement<Record<string, never>>(
  'deferred-insert',
  `insert into deferred_sends (organization_id, environment, operation_id, origin, origin_id, status, due_at,
     give_up_at, created_at, traceparent)
   select $1, $2, $3, $4, $5, 'waiting', at, at + $6::float8 * interval '1 millisecond', at, $7
   from date_trunc('milliseconds', clock_timestamp()) as at
   on conflict do nothing`,
  { wakes: 'send-deferred' },
);

/** A message that is due now, for the first replica to claim it. */
export interface NewDeferredSend {
  operationId: string;
  origin: DeferredOrigin;
  originId: string;
  /** Milliseconds for which it is retried after transient errors. */
  patienceMs: number;
  /** Trace to continue; without it a new one starts. */
  traceparent?: string | undefined;
}

/** Stores a deferred message, unique by its operation. */
export const deferSend = async (tenant: Tenant, tx: Transaction, send: NewDeferredSend): Promise<void> => {
  const { organizationId, environment } = tenant;
  const { operationId, origin, originId, patienceMs, traceparent } = send;
  const values = [organizationId, environment, operationId, origin, originId, patienceMs, traceparent];
  await tx.query(insert, values);
};

/** A message claimed by this process; `tries` is its fence. */
export type ClaimedSend = DeferredSendRow & {
  /** Its time is over. */
  is_over: boolean;
};

/** Identifies a lease: that of a message, by the number of the claim. */
export type Lease = Pick<DeferredSendRow, 'operation_id' | 'tries'>;

// Organizations take turns: the first message of each, then the second of each, the longest-waiting organization first.
// Messages in flight here count, and no organization exceeds its share of the slots. Due times and leases are by the
// database's clock, and each claim is a new fence.
const claim = statement<ClaimedSend>(
  'deferred-claim',
  `with organization as (
     select unnest($6::uuid[]) as organization_id
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
   returning ${columnsOf(deferredSends, 'send')}, send.give_up_at <= clock_timestamp() as is_over`,
);

/** The limits of a claim. */
export interface DeferredRoom {
  /** Most messages claimed now. */
  places: number;
  /** Most messages of one organization in flight. */
  share: number;
  /** Messages in flight, by organization. */
  underWay: ReadonlyMap<string, number>;
  /** Organizations with due messages. */
  organizations: readonly string[];
}

/** Claims due messages, of any tenant, for `leaseMs` milliseconds; after that others may claim them. */
export const claimDeferred = (
  db: Queryable,
  leaseMs: number,
  { places, share, underWay, organizations }: DeferredRoom,
): Promise<ClaimedSend[]> =>
  db.query(claim, [leaseMs, places, [...underWay.keys()], [...underWay.values()], share, organizations]);

/** See {@link claimDeferred}. */
export const nextDeferred = nextDue('deferred-next', {
  from: 'deferred_sends',
  moment: 'due_at',
  where: "status = 'waiting'",
});

/** Makes what finds the organizations with due messages. */
export const dueSenders = (): DueOrganizations =>
  new DueOrganizations({ name: 'deferred', table: 'deferred_sends', where: "status = 'waiting'" });

// Its time ends it, also where the platform asks to wait for longer.
const postpone = statement<{ operation_id: string }>(
  'deferred-postpone',
  `update deferred_sends
   set due_at = least(
         clock_timestamp() + $5 * interval '1 millisecond',
         case when give_up_at > clock_timestamp() then give_up_at end
       ),
       error = $6
   where organization_id = $1 and environment = $2 and operation_id = $3 and tries = $4 and status = 'waiting'
   returning operation_id`,
  { wakes: 'send-deferred' },
);

const requireOne = (rows: readonly object[]): void => {
  if (rows.length === 0) throw new LostLease();
};

/**
 * Postpones a message after a transient error, to the end of its time at most.
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
 * Locks the lease against other processes until the transaction ends.
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
   set status = 'ended', ended_at = clock_timestamp()
   where organization_id = $1 and environment = $2 and operation_id = $3 and status = 'waiting'`,
);

/** Ends the deferred send of a message that has an outcome, or never gets one. */
export const endDeferred = async (tenant: Tenant, tx: Transaction, operationId: string): Promise<void> => {
  await tx.query(end, [tenant.organizationId, tenant.environment, operationId]);
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

/** The operations that are still to be sent, whatever the state of their messages. */
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

const forget = deletion('deferred-forget', {
  from: 'deferred_sends',
  where: "status = 'ended' and ended_at < (select clock_timestamp()) - interval '24 hours'",
  orderBy: 'ended_at',
});

/** Deletes deferred sends that ended a day ago. */
export const forgetDeferred = (db: Queryable): Promise<number> => forget(db);
