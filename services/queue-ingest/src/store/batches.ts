import type { BatchStatus, CloseReason, Environment, Page } from '@stanza/contracts';
import { type Database, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { BatchRow } from '../domain/rows.ts';
import { batchEntity } from './entities.ts';
import { ownerOf } from './owner.ts';

/** A batch that was closed, as its delivery needs it. */
export interface ClosedBatch {
  organization_id: string;
  environment: Environment;
  id: string;
  queue_id: string;
  operation_id: string;
  close_reason: CloseReason;
  event_count: number;
  window_end: Date;
  traceparent: string | null;
}

/** Batches closed by one run; whoever is left is closed by the next, at once. */
const mostClosed = 200;

const closeDueBatches = statement<ClosedBatch>(
  'batch-close-due',
  `with due as (
     select organization_id, environment, id
     from batches
     where status = 'collecting' and window_end <= $1
     order by window_end
     limit $2
     for update skip locked
   )
   update batches
   set status = 'ready', closed_at = $1, live_at = $1, attempt = 1, operation_id = uuidv7(),
     close_reason = case
       when policy ->> 'mode' = 'fixed_volume' then 'max_wait'
       when window_end < latest_end then 'window_elapsed'
       else 'max_window'
     end
   from due
   where batches.organization_id = due.organization_id and batches.environment = due.environment
     and batches.id = due.id
   returning batches.organization_id, batches.environment, batches.id, batches.queue_id, batches.operation_id,
     batches.close_reason, batches.event_count, batches.window_end, batches.traceparent`,
);

/** Closes batches whose time has come; those that a push or another replica holds are passed over. */
export const closeDue = (tx: Transaction, at: Date): Promise<ClosedBatch[]> =>
  tx.query(closeDueBatches, [at, mostClosed]);

const closeOpenBatch = statement<ClosedBatch>(
  'batch-flush',
  `update batches
   set status = 'ready', closed_at = $4, live_at = $4, attempt = 1, operation_id = $5, close_reason = 'flushed'
   where organization_id = $1 and environment = $2 and queue_id = $3 and status = 'collecting'
   returning organization_id, environment, id, queue_id, operation_id, close_reason, event_count, window_end, traceparent`,
);

/** Closes the open batch of a queue, if there is one. */
export const closeOpen = async (
  tenant: Tenant,
  tx: Transaction,
  queueId: string,
  operationId: string,
  at: Date,
): Promise<ClosedBatch | undefined> => {
  const { organizationId, environment } = tenant;
  const [closed] = await tx.query(closeOpenBatch, [organizationId, environment, queueId, at, operationId]);
  return closed;
};

/** Reads a batch of a queue. */
export const findBatch = (
  tenant: Tenant,
  db: Queryable,
  queueId: string,
  id: string,
): Promise<BatchRow | null> => db.orm.findOneBy(batchEntity, { ...ownerOf(tenant), id, queue_id: queueId });

/** Reads a batch of a queue and keeps everybody else from changing it until the transaction ends. */
export const lockBatch = (
  tenant: Tenant,
  tx: Transaction,
  queueId: string,
  id: string,
): Promise<BatchRow | null> =>
  tx.orm.findOne(batchEntity, {
    where: { ...ownerOf(tenant), id, queue_id: queueId },
    lock: { mode: 'pessimistic_write' },
  });

/** Changes a batch that is locked. */
export const changeBatch = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<Omit<BatchRow, 'policy' | 'id'>>,
): Promise<void> => {
  await tx.orm.update(batchEntity, { ...ownerOf(tenant), id }, changes);
};

/** Lists the batches of a queue, newest first; page and total are of the same moment. */
export const pageOfBatches = (
  tenant: Tenant,
  database: Database,
  queueId: string,
  { status, limit, offset }: { status?: BatchStatus | undefined; limit: number; offset: number },
): Promise<Page<BatchRow>> =>
  database.transaction(
    async ({ orm }) => {
      const [items, total] = await orm.findAndCount(batchEntity, {
        where: { ...ownerOf(tenant), queue_id: queueId, ...(status && { status }) },
        order: { opened_at: 'DESC', id: 'DESC' },
        take: limit,
        skip: offset,
      });
      return { items, total };
    },
    { isolation: 'REPEATABLE READ' },
  );

/** An event as it is stored. */
export interface EventRow {
  id: string;
  received_at: Date;
  event: Record<string, unknown>;
}

const selectEvents = statement<EventRow>(
  'batch-events',
  `select id, received_at, event
   from events
   where batch_id = $3 and organization_id = $1 and environment = $2
     and received_at >= $4 and position >= $5 and position < $6
   order by position`,
);

/** Events of a batch in the order in which they came; only days since it was opened are looked at. */
export const eventsOf = (
  tenant: Tenant,
  db: Queryable,
  batch: Pick<BatchRow, 'id' | 'opened_at'>,
  { limit, offset }: { limit: number; offset: number },
): Promise<EventRow[]> => {
  const { organizationId, environment } = tenant;
  const values = [organizationId, environment, batch.id, batch.opened_at, offset, offset + limit];
  return db.query(selectEvents, values);
};

const selectContent = statement<Pick<EventRow, 'event'>>(
  'batch-content',
  `select event
   from events
   where batch_id = $3 and organization_id = $1 and environment = $2 and received_at >= $4
   order by position`,
);

/** What the events of a batch say, all of them, in the order in which they came. */
export const contentOf = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  batch: Pick<BatchRow, 'id' | 'opened_at'>,
): Promise<Pick<EventRow, 'event'>[]> =>
  db.query(selectContent, [organizationId, environment, batch.id, batch.opened_at]);

const begin = statement<BatchRow>(
  'batch-begin-delivery',
  `update batches
   set status = 'delivering'
   where organization_id = $1 and environment = $2 and id = $3 and operation_id = $4
     and status in ('ready', 'delivering')
   returning *`,
);

/** Notes that a delivery of a batch has begun; answers nothing when it is not due, or not this one. */
export const beginDelivery = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  operationId: string,
): Promise<BatchRow | undefined> => {
  const [batch] = await db.query(begin, [tenant.organizationId, tenant.environment, id, operationId]);
  return batch;
};

/** What came of a delivery. */
export type DeliveryEnd = Pick<
  BatchRow,
  'error' | 'error_details' | 'message_id' | 'delivery_id' | 'credit_log_id'
> & { status: 'delivered' | 'failed' | 'unknown'; ended_at: Date };

const end = statement<{ id: string }>(
  'batch-end-delivery',
  `update batches
   set status = $5, error = $6, error_details = $7, message_id = $8, delivery_id = $9, credit_log_id = $10,
     ended_at = $11
   where organization_id = $1 and environment = $2 and id = $3 and operation_id = $4
     and (status in ('ready', 'delivering') or (status = 'unknown' and $5 = 'delivered'))
   returning id`,
);

/** Writes what came of a delivery; answers false when it was known, or when another delivery has begun. */
export const endDelivery = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  operationId: string,
  ended: DeliveryEnd,
): Promise<boolean> => {
  const rows = await tx.query(end, [
    tenant.organizationId,
    tenant.environment,
    id,
    operationId,
    ended.status,
    ended.error,
    ended.error_details,
    ended.message_id,
    ended.delivery_id,
    ended.credit_log_id,
    ended.ended_at,
  ]);
  return rows.length === 1;
};

const selectUnfinished = statement<{ unfinished: boolean }>(
  'batch-any-unfinished',
  `select exists (
     select
     from batches
     where organization_id = $1 and environment = $2 and queue_id = $3
       and status in ('collecting', 'ready', 'delivering')
   ) as unfinished`,
);

/** True while a batch of the queue is open or on its way. */
export const hasUnfinished = async (tenant: Tenant, tx: Transaction, queueId: string): Promise<boolean> => {
  const { organizationId, environment } = tenant;
  const [row] = await tx.query(selectUnfinished, [organizationId, environment, queueId]);
  return row?.unfinished ?? false;
};
