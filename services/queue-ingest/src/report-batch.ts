import {
  batchFailed,
  isErrorCode,
  noteLeftOut as leftOutWork,
  metricCatalogue,
  recordEvent,
  reportBatch as work,
} from '@stanza/contracts';
import { consume, type Outbox, Tenant, type Transaction } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import type { BatchRow } from './domain/tables.ts';
import { repostBatch } from './repost-batch.ts';
import { endDelivery, lockRepostingQueue, writeLeftOut } from './store/batches.ts';

/** Tells subscribers that a batch has failed, in the transaction that decides it. */
const tellFailed = async (outbox: Outbox, tx: Transaction, batch: BatchRow): Promise<void> => {
  const { id: batch_id, organization_id, environment, ended_at, close_reason, closed_at } = batch;
  const { error, error_details, message_id, delivery_id } = batch;
  await outbox.add(tx, recordEvent, {
    organization_id,
    environment,
    type: batchFailed.type,
    subject: batch_id,
    created_at: (ended_at ?? batch.opened_at).toISOString(),
    data: {
      batch_id,
      queue_id: batch.queue_id,
      event_count: batch.event_count,
      ...(close_reason && { close_reason }),
      opened_at: batch.opened_at.toISOString(),
      ...(closed_at && { closed_at: closed_at.toISOString() }),
      attempt: batch.attempt,
      error: error ?? 'internal_error',
      ...(error_details !== null && { error_details }),
      ...(message_id !== null && { message_id }),
      ...(delivery_id !== null && { delivery_id }),
    },
  });
};

/**
 * Writes the outcome of a batch. A report on a superseded delivery changes nothing; a report that a message of unknown
 * outcome was found turns the batch into delivered, and one that it was not found may post it again.
 */
export const reportBatch = (dependencies: Pick<Dependencies, 'metrics' | 'outbox' | 'clock'>) => {
  const { metrics, outbox } = dependencies;
  const counted = metrics.counter(metricCatalogue.queues.batchesEnded);
  return consume(work, async (report, tx) => {
    const { status, error } = report;
    const code = error !== undefined && isErrorCode(error) ? error : null;
    const tenant = new Tenant(report.organization_id, report.environment);
    // Locked before the batch, as a retry does.
    const isReposted = report.not_found === true && (await lockRepostingQueue(tenant, tx, report.batch_id));
    const ended = await endDelivery(tenant, tx, report.batch_id, report.operation_id, {
      status,
      error: error === undefined ? null : (code ?? 'internal_error'),
      error_details: report.error_details ?? null,
      message_id: report.message_id ?? null,
      delivery_id: report.delivery_id ?? null,
      credit_log_id: report.credit_log_id ?? null,
    });
    // The report of the outcome itself may come after this one.
    if (isReposted) await repostBatch(dependencies, tx, tenant, report);
    if (!ended) return;
    if (ended.status === 'failed') await tellFailed(outbox, tx, ended);
    tx.afterCommit(() => counted.inc({ status: ended.status, code: code ?? 'none' }));
  });
};

/** Writes what the digest of a batch leaves out, before or after the outcome of its delivery is reported. */
export const noteLeftOut = () =>
  consume(leftOutWork, async ({ organization_id, environment, batch_id, operation_id, left_out }, tx) => {
    const written = { id: batch_id, operationId: operation_id, leftOut: left_out };
    await writeLeftOut(new Tenant(organization_id, environment), tx, written);
  });
