import type { ErrorCode } from '@stanza/contracts';
import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { DeliveryAttemptRow, DeliveryRow } from '../domain/destination-rows.ts';
import type { OutboundReply } from '../domain/outbound-reply.ts';

const claim = statement<DeliveryRow>(
  'deliveries-claim',
  `with due as (
     select organization_id, environment, id
     from deliveries
     where status = 'waiting' and due_at <= $1 and destination_id <> all($4::uuid[])
     order by due_at
     limit $3
     for update skip locked
   )
   update deliveries as delivery
   set due_at = $2
   from due
   where delivery.organization_id = due.organization_id
     and delivery.environment = due.environment
     and delivery.id = due.id
   returning delivery.*`,
);

/** Takes deliveries that are due, of any tenant; a process that dies over them leaves them to others at `leaseUntil`. */
export const claimDeliveries = (
  db: Queryable,
  now: Date,
  leaseUntil: Date,
  limit: number,
  /** Destinations that have enough under way. */
  busy: readonly string[],
): Promise<DeliveryRow[]> => db.query(claim, [now, leaseUntil, limit, busy]);

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
     set attempts = attempts + 1, retries = retries + 1, updated_at = $5
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
   set status = $10, error = $11, due_at = $12, give_up_at = $13, updated_at = $14
   from ended
   where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and attempts = $4
   returning number`,
);

/** How an attempt ended, and what becomes of its delivery. */
export interface AttemptEnd
  extends Pick<DeliveryRow, 'id' | 'attempts' | 'status' | 'due_at' | 'give_up_at'> {
  reply: OutboundReply;
  error: ErrorCode | null;
  at: Date;
}

/** Writes down how an attempt ended; false when somebody has done so before. */
export const endAttempt = async (
  tenant: Tenant,
  tx: Transaction,
  { id, attempts, reply, status, error, due_at, give_up_at, at }: AttemptEnd,
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
    due_at,
    give_up_at,
    at,
  ]);
  return row !== undefined;
};

const settle = statement<{ id: string }>(
  'delivery-settle',
  `update deliveries
   set status = $5, error = $6, due_at = $7, updated_at = $8
   where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and due_at = $4
   returning id`,
);

/** Puts a delivery off, or ends it, without an attempt; false when it is another process's by now. */
export const settleDelivery = async (
  tenant: Tenant,
  db: Queryable,
  { id, due_at }: Pick<DeliveryRow, 'id' | 'due_at'>,
  to: { status: DeliveryRow['status']; error: ErrorCode; dueAt: Date; at: Date },
): Promise<boolean> => {
  const { organizationId, environment } = tenant;
  const values = [organizationId, environment, id, due_at, to.status, to.error, to.dueAt, to.at];
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

const waiting = statement<{ waiting: number; oldest: Date | null }>(
  'deliveries-gauges',
  `select count(*) as waiting, min(created_at) as oldest
   from deliveries
   where status = 'waiting'`,
);

/** How many deliveries wait, and since when the oldest does. */
export const countWaitingDeliveries = async (
  db: Queryable,
): Promise<{ waiting: number; oldest: Date | null }> => {
  const [row] = await db.query(waiting);
  return row ?? { waiting: 0, oldest: null };
};
