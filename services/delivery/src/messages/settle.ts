import { type ErrorBody, reportBatch, settleReservation } from '@stanza/contracts';
import type { Outbox, ServiceContext, Tenant, Transaction } from '@stanza/runtime';
import { endRun } from '../schedules/store/scheduled-runs.ts';
import type { MessageRow } from '../store/rows.ts';
import { resolveUnknown } from './store/abandoned-messages.ts';
import { endDeferred } from './store/deferred-sends.ts';

/** A reserved message, as far as its settlement is concerned. */
export interface SettledMessage {
  item: number;
  messageId: string;
  creditLogId: string;
  charged: boolean;
}

/** Writes the settlement of messages of an operation into the transaction that decides about them. */
export const settle = (
  outbox: Outbox,
  tx: Transaction,
  tenant: Tenant,
  operationId: string,
  messages: readonly SettledMessage[],
): Promise<void> =>
  outbox.add(tx, settleReservation, {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    operation_id: operationId,
    items: messages.map(({ item, messageId, creditLogId, charged }) => ({
      item,
      charged,
      credit_log_id: creditLogId,
      message_id: messageId,
    })),
  });

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

/**
 * Turns an unknown message that was found in its channel into a sent one, and tells its origin.
 * @returns false when it was not unknown
 */
export const resolve = (
  { database, outbox, clock }: Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'clock'>,
  tenant: Tenant,
  id: string,
  messageTs: string,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const message = await resolveUnknown(tenant, tx, id, messageTs);
    if (!message) return false;
    await report(outbox, tx, tenant, { ...message, message_id: id, status: 'sent' }, clock.now());
    return true;
  });
