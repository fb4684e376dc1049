import { type ErrorCode, errorTable, reportBatch } from '@stanza/contracts';
import type { Outbox, Tenant, Transaction } from '@stanza/runtime';
import type { DeliveryRow } from './destination-tables.ts';
import { mayHaveArrived } from './store/deliveries.ts';

/** The outcome of a delivery, as reported to its origin. */
export interface ReportedDelivery extends Pick<DeliveryRow, 'id' | 'operation_id' | 'origin' | 'origin_id'> {
  status: 'delivered' | 'failed' | 'unknown';
  error?: ErrorCode | undefined;
}

/**
 * Reports the outcome of a delivery to the queue of a batch, in the transaction that decides it. Other origins look it
 * up. A batch has failed where certainly nothing arrived: its retry is another delivery, which no receiver takes for the
 * same.
 */
export const reportDelivery = async (
  outbox: Outbox,
  tx: Transaction,
  tenant: Tenant,
  { operation_id, origin, origin_id, id, status, error: given }: ReportedDelivery,
): Promise<void> => {
  if (origin !== 'batch') return;
  const isUnknown = status === 'failed' && (await mayHaveArrived(tenant, tx, id));
  const error = isUnknown ? 'delivery_outcome_unknown' : given;
  await outbox.add(tx, reportBatch, {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    batch_id: origin_id,
    operation_id,
    status: isUnknown ? 'unknown' : status,
    error,
    error_details: error && errorTable[error].meaning,
    delivery_id: id,
  });
};
