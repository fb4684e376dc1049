import { deliverBatch } from '@stanza/contracts';
import type { Outbox, Transaction } from '@stanza/runtime';
import type { ClosedBatch } from './store/closings.ts';

/** Hands a batch over to delivery, in the transaction that made it ready. */
export const announce = (
  outbox: Outbox,
  tx: Transaction,
  batch: Pick<ClosedBatch, 'organization_id' | 'environment' | 'id' | 'queue_id' | 'operation_id'>,
): Promise<void> =>
  outbox.add(tx, deliverBatch, {
    organization_id: batch.organization_id,
    environment: batch.environment,
    queue_id: batch.queue_id,
    batch_id: batch.id,
    operation_id: batch.operation_id,
  });
