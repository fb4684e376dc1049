import { batchFailed, type EmittedEvent } from '@stanza/contracts';
import { emitEvent, type Outbox, type Transaction } from '@stanza/runtime';
import type { BatchRow } from './domain/tables.ts';

/** Emits the event that a batch has failed, in the transaction that decides it. */
export const emitFailed = async (outbox: Outbox, tx: Transaction, batch: BatchRow): Promise<void> => {
  const { id: batch_id, organization_id, environment, ended_at, close_reason, closed_at } = batch;
  const { error, error_details, message_id, delivery_id } = batch;
  const event: EmittedEvent = {
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
  };
  await emitEvent(tx, outbox, event, batch.attempt > 1);
};
