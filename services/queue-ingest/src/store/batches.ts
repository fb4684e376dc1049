import { type InputOf, type LeftOut, type listBatches, type Page, readLogPlace } from '@stanza/contracts';
import {
  type Database,
  ownerOf,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type BatchRow, batches, type Policy } from '../domain/tables.ts';
import { batchEntity } from './entities.ts';

/** Reads a batch of a queue. */
export const findBatch = (
  tenant: Tenant,
  db: Queryable,
  queueId: string,
  id: string,
): Promise<BatchRow | null> => db.orm.findOneBy(batchEntity, { ...ownerOf(tenant), id, queue_id: queueId });

/** Reads a batch of a queue and locks it against changes until the transaction ends. */
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

/** Reads the delivery of a batch and locks it; null where the batch has another one. */
export const lockDelivery = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  operationId: string,
): Promise<BatchRow | null> =>
  tx.orm.findOne(batchEntity, {
    where: { ...ownerOf(tenant), id, operation_id: operationId },
    lock: { mode: 'pessimistic_write' },
  });

const repostingQueue = statement<Pick<BatchRow, 'queue_id'>>(
  'batch-reposting-queue',
  `select queue.id as queue_id
   from batches as batch
   join queues as queue
     on queue.organization_id = batch.organization_id and queue.environment = batch.environment
     and queue.id = batch.queue_id
   where batch.organization_id = $1 and batch.environment = $2 and batch.id = $3
     and queue.deleted_at is null and queue.is_active and queue.on_unknown = 'repost'
   for share of queue`,
);

/** True where the queue of a batch asks for reposts now; it is locked against changes, which come before its batches. */
export const lockRepostingQueue = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  batchId: string,
): Promise<boolean> => {
  const rows = await tx.query(repostingQueue, [organizationId, environment, batchId]);
  return rows.length > 0;
};

const retry = statement<BatchRow>(
  'batch-retry',
  `update batches
   set status = 'ready', attempt = attempt + 1, operation_id = $4, policy = $5, live_at = clock_timestamp(),
     reposts = case when $6 then reposts + 1 else 0 end,
     ended_at = null, error = null, error_details = null, message_id = null, delivery_id = null,
     credit_log_id = null, left_out = null
   where organization_id = $1 and environment = $2 and id = $3
   returning ${columnsOf(batches)}`,
);

/** Makes a locked batch ready for another delivery: a repost, or a retry by a person who answers for the ones before. */
export const retryLocked = async (
  tenant: Tenant,
  tx: Transaction,
  {
    id,
    operationId,
    policy,
    isRepost,
  }: { id: string; operationId: string; policy: Policy; isRepost: boolean },
): Promise<BatchRow> => {
  const { organizationId, environment } = tenant;
  const values = [organizationId, environment, id, operationId, JSON.stringify(policy), isRepost];
  const [batch] = await tx.query(retry, values);
  if (!batch) throw new TypeError('a locked batch was not found');
  return batch;
};

/** The filter and the page of a list of batches. */
type BatchQuery = InputOf<typeof listBatches>['query'];

/** Lists the batches of a queue, newest first; page and total come from one snapshot. */
export const pageOfBatches = (
  tenant: Tenant,
  database: Database,
  queueId: string,
  { status, cursor, limit, offset }: BatchQuery,
): Promise<Page<BatchRow>> =>
  database.transaction(
    async ({ orm }) => {
      const ofQueue = orm
        .createQueryBuilder(batchEntity, 'row')
        .where({ ...ownerOf(tenant), queue_id: queueId, ...(status && { status }) })
        .orderBy({ 'row.opened_at': 'DESC', 'row.id': 'DESC' })
        .take(limit)
        .skip(offset);
      if (cursor !== undefined)
        ofQueue.andWhere('(row.opened_at, row.id) < (:at, :id)', { ...readLogPlace(cursor) });
      const [items, total] = await ofQueue.getManyAndCount();
      return { items, total };
    },
    { isolation: 'REPEATABLE READ' },
  );

const begin = statement<BatchRow>(
  'batch-begin-delivery',
  `update batches
   set status = 'delivering'
   where organization_id = $1 and environment = $2 and id = $3 and operation_id = $4
     and status in ('ready', 'delivering')
   returning ${columnsOf(batches)}`,
);

/** Marks a delivery of a batch as begun; returns nothing when the batch is not due, or has another delivery. */
export const beginDelivery = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  operationId: string,
): Promise<BatchRow | undefined> => {
  const [batch] = await db.query(begin, [tenant.organizationId, tenant.environment, id, operationId]);
  return batch;
};

/** Precedes the reason why a repost has failed. */
const stillUnknown = 'It was posted before with an unknown outcome, and posting it again failed.';

/** The outcome of a delivery. */
export type DeliveryEnd = Pick<
  BatchRow,
  'error' | 'error_details' | 'message_id' | 'delivery_id' | 'credit_log_id'
> & { status: 'delivered' | 'failed' | 'unknown' };

// After a repost the message of the delivery before may be there, whatever becomes of this one.
const end = statement<BatchRow>(
  'batch-end-delivery',
  `update batches
   set status = case when $5 = 'failed' and reposts > 0 then 'unknown' else $5 end, error = $6,
     error_details = case when $5 = 'failed' and reposts > 0
       then concat_ws(' ', '${stillUnknown}', $7::text) else $7 end,
     message_id = $8, delivery_id = $9, credit_log_id = $10,
     ended_at = clock_timestamp()
   where organization_id = $1 and environment = $2 and id = $3 and operation_id = $4
     and (status in ('ready', 'delivering')
       or ($5 = 'delivered' and (status = 'unknown' or (status = 'failed' and delivery_id = $9))))
   returning ${columnsOf(batches)}`,
);

/**
 * Writes the outcome of a delivery; returns nothing when it has one, or another delivery has begun. A repost that fails
 * leaves the batch unknown. What has ended may still be delivered: a message is found, a delivery is replayed.
 */
export const endDelivery = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  operationId: string,
  ended: DeliveryEnd,
): Promise<BatchRow | undefined> => {
  const [batch] = await tx.query(end, [
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
  ]);
  return batch;
};

const leaveOut = statement<Pick<BatchRow, 'id'>>(
  'batch-left-out',
  `update batches
   set left_out = $5
   where organization_id = $1 and environment = $2 and id = $3 and operation_id = $4
   returning id`,
);

/** Writes what the digest of a delivery leaves out; changes nothing where the batch has another delivery. */
export const writeLeftOut = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  { id, operationId, leftOut }: { id: string; operationId: string; leftOut: LeftOut },
): Promise<void> => {
  await tx.query(leaveOut, [organizationId, environment, id, operationId, JSON.stringify(leftOut)]);
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

/** True while a batch of the queue is open or in flight. */
export const hasUnfinished = async (tenant: Tenant, tx: Transaction, queueId: string): Promise<boolean> => {
  const { organizationId, environment } = tenant;
  const [row] = await tx.query(selectUnfinished, [organizationId, environment, queueId]);
  return row?.unfinished ?? false;
};
