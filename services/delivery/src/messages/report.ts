import { type ErrorBody, reportBatch } from '@stanza/contracts';
import type { Outbox, Tenant, Transaction } from '@stanza/runtime';
import { endRun } from '../schedules/store/scheduled-runs.ts';
import type { MessageRow } from '../store/rows.ts';
import { endDeferred } from './store/deferred-sends.ts';

/** A message, or what stands for one that never came to be, as its origin hears of it. */
export interface Reported extends Pick<MessageRow, 'operation_id' | 'origin' | 'origin_id'> {
  /** None when nothing was accepted. */
  message_id: string | undefined;
  /** Of a message that was charged. */
  credit_log_id?: string | undefined;
  status: 'sent' | 'failed' | 'unknown';
  error?: ErrorBody | undefined;
}

/** Tells the origin of a message what became of it, in the transaction that decides so. Nobody waits for that of a request. */
export const report = async (
  outbox: Outbox,
  tx: Transaction,
  tenant: Tenant,
  reported: Reported,
  at: Date,
): Promise<void> => {
  const { origin, origin_id, operation_id, status, error } = reported;
  if (origin_id === null || origin === 'send' || origin === 'bulk') return;
  await endDeferred(tenant, tx, operation_id, at);
  const error_details = error?.error_details ?? error?.details ?? error?.message;
  if (origin === 'schedule') {
    const { message_id = null } = reported;
    const told = { error: error?.code ?? null, error_details: error_details ?? null };
    return endRun(tenant, tx, { operation_id, status, message_id, ...told }, at);
  }
  await outbox.add(tx, reportBatch, {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    batch_id: origin_id,
    operation_id,
    status: status === 'sent' ? 'delivered' : status,
    error: error?.code,
    error_details,
    message_id: reported.message_id,
    credit_log_id: reported.credit_log_id,
  });
};
