import { deliverBatch, metricCatalogue } from '@stanza/contracts';
import { type Discard, Tenant, whenDiscarded } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import { emitFailed } from './emit-failed.ts';
import { endDelivery, lockDelivery } from './store/batches.ts';
import { endShowing } from './store/live-batches.ts';

const discarded = {
  status: 'failed',
  error: 'internal_error',
  error_details: 'An operator discarded its delivery, which had not begun. Retry the batch.',
  message_id: null,
  delivery_id: null,
  credit_log_id: null,
} as const;

/**
 * Ends the delivery of a batch that an operator discards, so that the batch can be retried, and its queue deleted. One that
 * the delivery service has begun has an outcome of its own.
 */
export const discardDelivery = ({ outbox, metrics }: Pick<Dependencies, 'outbox' | 'metrics'>): Discard => {
  const counted = metrics.counter(metricCatalogue.queues.batchesEnded);
  return whenDiscarded(deliverBatch, async (tx, { organization_id, environment, batch_id, operation_id }) => {
    const tenant = new Tenant(organization_id, environment);
    // What shows a batch while it collects waits for its outcome too.
    await endShowing(tenant, tx, { id: batch_id, operationId: operation_id, messageId: undefined });
    const batch = await lockDelivery(tenant, tx, batch_id, operation_id);
    if (batch?.status !== 'ready') return;
    const ended = await endDelivery(tenant, tx, batch_id, operation_id, discarded);
    if (!ended) return;
    if (ended.status === 'failed') await emitFailed(outbox, tx, ended);
    tx.afterCommit(() => counted.inc({ status: ended.status, code: discarded.error }));
  });
};
