import type { ErrorCode } from '@stanza/contracts';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { DeliveryAttemptRow, DeliveryRow } from '../destination-rows.ts';
import type { OutboundReply } from '../outbound-reply.ts';

/** A delivery that this process has claimed; `due_at` is the end of its lease, and its fence. */
export type ClaimedDelivery = DeliveryRow & {
  /** It has waited for as long as it may. */
  is_over: boolean;
};

const claim = statement<ClaimedDelivery>(
  'deliveries-claim',
  `with due as (
     select organization_id, environment, id
     from deliveries
     where status = 'waiting' and due_at <= (select clock_timestamp()) and destination_id <> all($3::uuid[])
     order by due_at
     limit $2
     for update skip locked
   )
   update deliveries as delivery
   set due_at = clock_timestamp() + $1 * interval '1 millisecond'
   from due
   where delivery.organization_id = due.organization_id
     and delivery.environment = due.environment
     and delivery.id = due.id
   returning delivery.*, delivery.give_up_at <= clock_timestamp() as is_over`,
);

/**
 * Claims deliveries that are due, of any tenant, for `leaseMs` milliseconds by the database's clock; after that others may
 * claim them.
 */
export const claimDeliveries = (
  db: Queryable,
  leaseMs: number,
  limit: number,
  /** Destinations that have enough under way. */
  busy: readonly string[],
): Promise<ClaimedDelivery[]> => db.query(claim, [leaseMs, limit, busy]);

const findOpen = statement<DeliveryAttemptRow>(
  'delivery-attempt-open',
  `select *
   from delivery_attempts
   where organization_id = $1 and environment = $2 and delivery_id = $3 and number = $4 and outcome = 'begun'`,
);

/** The last attempt at a delivery, when nobody has told how it ended: the process died over it. */
export const findOpenAttempt = async (
  tenant: Tenant,
  db: Queryable,
  { id, attempts }: DeliveryRow,
): Promise<DeliveryAttemptRow | undefined> => {
  const [row] = await db.query(findOpen, [tenant.organizationId, tenant.environment, id, attempts]);
  return row;
};

const begin = statement<{ number: number }>(
  'delivery-attempt-begin',
  `with begun as (
     update deliveries
     set attempts = attempts + 1, retries = retries + 1, updated_at = clock_timestamp()
     where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and due_at = $4
     returning attempts
   )
   insert into delivery_attempts (organization_id, environment, delivery_id, number, outcome, started_at)
   select $1, $2, $3, attempts, 'begun', $5
   from begun
   returning number`,
);

/** Writes an attempt down before its first byte; false when the delivery is another process's by now. */
export const beginAttempt = async (
  tenant: Tenant,
  db: Queryable,
  { id, due_at }: Pick<DeliveryRow, 'id' | 'due_at'>,
  at: Date,
): Promise<boolean> => {
  const [row] = await db.query(begin, [tenant.organizationId, tenant.environment, id, due_at, at]);
  return row !== undefined;
};

const end = statement<{ number: number }>(
  'delivery-attempt-end',
  `with ended as (
     update delivery_attempts
     set outcome = $5, http_status = $6, error = $7, response = $8, latency_ms = $9
     where organization_id = $1 and environment = $2 and delivery_id = $3 and number = $4 and outcome = 'begun'
     returning number
   )
   update deliveries
   set status = $10, error = $11, due_at = coalesce(next.due_at, deliveries.due_at),
     give_up_at = coalesce(next.due_at, deliveries.due_at) + $13::float8 * interval '1 millisecond',
     updated_at = next.at
   from ended, (
     select at, at + $12::float8 * interval '1 millisecond' as due_at
     from date_trunc('milliseconds', clock_timestamp()) as at) as next
   where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and attempts = $4
   returning number`,
);

/** How an attempt ended, and what becomes of its delivery. */
export interface AttemptEnd extends Pick<DeliveryRow, 'id' | 'attempts' | 'status'> {
  reply: OutboundReply;
  error: ErrorCode | null;
  /** Milliseconds until the next attempt; null when there is none. */
  delayMs: number | null;
  /** Milliseconds from then on for which it waits for a host that is left alone. */
  patienceMs: number;
}

/** Writes down how an attempt ended; false when somebody has done so before. */
export const endAttempt = async (
  tenant: Tenant,
  tx: Transaction,
  { id, attempts, reply, status, error, delayMs, patienceMs }: AttemptEnd,
): Promise<boolean> => {
  const { outcome, httpStatus, error: word, response, latencyMs } = reply;
  const [row] = await tx.query(end, [
    tenant.organizationId,
    tenant.environment,
    id,
    attempts,
    outcome,
    httpStatus,
    word,
    response,
    latencyMs,
    status,
    error,
    delayMs,
    patienceMs,
  ]);
  return row !== undefined;
};

const settle = statement<{ id: string }>(
  'delivery-settle',
  `update deliveries
   set status = $5, error = $6, updated_at = clock_timestamp(),
     due_at = coalesce(clock_timestamp() + $7::float8 * interval '1 millisecond', due_at)
   where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and due_at = $4
   returning id`,
);

/** Puts a delivery off, or ends it, without an attempt; false when it is another process's by now. */
export const settleDelivery = async (
  tenant: Tenant,
  db: Queryable,
  { id, due_at }: Pick<DeliveryRow, 'id' | 'due_at'>,
  to: {
    status: DeliveryRow['status'];
    error: ErrorCode;
    /** Milliseconds by which it is put off; none where it ends. */
    delayMs?: number;
  },
): Promise<boolean> => {
  const { organizationId, environment } = tenant;
  const values = [organizationId, environment, id, due_at, to.status, to.error, to.delayMs ?? null];
  const [row] = await db.query(settle, values);
  return row !== undefined;
};

const fail = statement<{ consecutive_failures: number; is_active: boolean }>(
  'destination-count-failure',
  `update destinations
   set consecutive_failures = consecutive_failures + 1
   where organization_id = $1 and environment = $2 and id = $3
   returning consecutive_failures, is_active`,
);

/** Counts a failed attempt of a destination. */
export const countFailure = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<{ consecutive_failures: number; is_active: boolean } | undefined> => {
  const [row] = await tx.query(fail, [tenant.organizationId, tenant.environment, id]);
  return row;
};

const succeed = statement<Record<string, never>>(
  'destination-count-success',
  `update destinations
   set consecutive_failures = 0
   where organization_id = $1 and environment = $2 and id = $3 and consecutive_failures > 0`,
);

/** Forgets the failures of a destination that works. */
export const forgetFailures = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.query(succeed, [tenant.organizationId, tenant.environment, id]);
};

const waiting = statement<{ waiting: number; age: number }>(
  'deliveries-gauges',
  `select count(*) as waiting,
     coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0)::float8 as age
   from deliveries
   where status = 'waiting'`,
);

/** How many deliveries wait, and for how many seconds the oldest does. */
export const countWaitingDeliveries = async (db: Queryable): Promise<{ waiting: number; age: number }> => {
  const [row] = await db.query(waiting);
  return row ?? { waiting: 0, age: 0 };
};
