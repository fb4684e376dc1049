import type { ErrorCode } from '@stanza/contracts';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { DeferredOrigin, DeferredSendRow } from '../domain/rows.ts';
import type { ReservedOperation } from './reservations.ts';

const insert = statement<Record<string, never>>(
  'deferred-insert',
  `insert into deferred_sends (organization_id, environment, operation_id, origin, origin_id, status, due_at,
     give_up_at, created_at, traceparent)
   values ($1, $2, $3, $4, $5, 'waiting', $6, $7, $6, $8)
   on conflict do nothing`,
);

/** A message that is to be sent now, by whoever comes first. */
export interface NewDeferredSend {
  operationId: string;
  origin: DeferredOrigin;
  originId: string;
  at: Date;
  giveUpAt: Date;
  /** Of the trace that it goes on with; it begins one of its own where none is given. */
  traceparent?: string | undefined;
}

/** Writes down a message to be sent; once by its operation. */
export const deferSend = async (tenant: Tenant, tx: Transaction, send: NewDeferredSend): Promise<void> => {
  const { organizationId, environment } = tenant;
  const { operationId, origin, originId, at, giveUpAt, traceparent } = send;
  const values = [organizationId, environment, operationId, origin, originId, at, giveUpAt, traceparent];
  await tx.query(insert, values);
};

// Organizations take turns: the first message of each, then the second of each, whoever has had messages waiting for
// longer. What an organization has under way here already counts, and nobody gets more than its share of the places.
const claim = statement<DeferredSendRow>(
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
     left join unnest($4::uuid[], $5::integer[]) as busy (organization_id, places)
       on busy.organization_id = organization.organization_id
     cross join lateral (
       select send.organization_id, send.environment, send.operation_id, send.due_at,
         coalesce(busy.places, 0) + row_number() over (order by send.due_at) as turn
       from deferred_sends as send
       where send.status = 'waiting'
         and send.organization_id = organization.organization_id
         and send.due_at <= $1
       order by send.due_at
       limit greatest(0, $6 - coalesce(busy.places, 0))) as first
     order by first.turn, first.due_at
     limit $3
   ),
   mine as (
     select send.organization_id, send.environment, send.operation_id
     from due
     join deferred_sends as send
       on send.organization_id = due.organization_id
       and send.environment = due.environment
       and send.operation_id = due.operation_id
     where send.status = 'waiting'
       and send.due_at <= $1
     for update of send skip locked
   )
   update deferred_sends as send
   set due_at = $2, tries = send.tries + 1
   from mine
   where send.organization_id = mine.organization_id
     and send.environment = mine.environment
     and send.operation_id = mine.operation_id
   returning send.*`,
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

/** Takes messages that are due, of any tenant; a process that dies over them leaves them to others at `leaseUntil`. */
export const claimDeferred = (
  db: Queryable,
  now: Date,
  leaseUntil: Date,
  { places, share, underWay }: DeferredRoom,
): Promise<DeferredSendRow[]> =>
  db.query(claim, [now, leaseUntil, places, [...underWay.keys()], [...underWay.values()], share]);

const postpone = statement<Record<string, never>>(
  'deferred-postpone',
  `update deferred_sends
   set due_at = $4, error = $5
   where organization_id = $1 and environment = $2 and operation_id = $3 and status = 'waiting'`,
);

/** Puts a message off that could not be sent now. */
export const postponeDeferred = async (
  tenant: Tenant,
  db: Queryable,
  operationId: string,
  dueAt: Date,
  error: ErrorCode,
): Promise<void> => {
  const { organizationId, environment } = tenant;
  await db.query(postpone, [organizationId, environment, operationId, dueAt, error]);
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

const forget = statement<Record<string, never>>(
  'deferred-forget',
  `delete from deferred_sends
   where status = 'ended' and ended_at < $1`,
);

/** Drops what ended so long ago that nobody asks for it any more. */
export const forgetDeferred = async (db: Queryable, before: Date): Promise<void> => {
  await db.query(forget, [before]);
};

const overdue = statement<{ waiting: number; oldest: Date | null }>(
  'deferred-gauges',
  `select count(*) as waiting, min(created_at) as oldest
   from deferred_sends
   where status = 'waiting'`,
);

/** How many messages wait, and since when the oldest does. */
export const countWaiting = async (db: Queryable): Promise<{ waiting: number; oldest: Date | null }> => {
  const [row] = await db.query(overdue);
  return row ?? { waiting: 0, oldest: null };
};
