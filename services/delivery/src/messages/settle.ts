import { type ErrorBody, type LeftOut, noteLeftOut, reportBatch, settleReservation } from '@stanza/contracts';
import type { Outbox, ServiceContext, Tenant, Transaction } from '@stanza/runtime';
import type { CountEvents } from '../events/store/recording.ts';
import type { MessageRow } from './message-tables.ts';
import { recordDeleted } from './record-deletion.ts';
import { resolveUnknown } from './store/abandoned-messages.ts';
import { endDeferred } from './store/deferred-sends.ts';
import { forgetContent } from './store/message-contents.ts';
import { showRevision } from './store/revisions.ts';
import { endRun } from './store/run-outcomes.ts';

/** The fields of a reserved message that its settlement needs. */
export interface SettledMessage {
  item: number;
  messageId: string;
  creditLogId: string;
  charged: boolean;
}

/** A message of a settlement, as the owner of the credits reads it. */
export const settledItem = ({ item, messageId, creditLogId, charged }: SettledMessage) => ({
  item,
  charged,
  credit_log_id: creditLogId,
  message_id: messageId,
});

/** Writes the settlement of an operation's messages in the transaction that decides their outcomes. */
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
    items: messages.map(settledItem),
  });

/** A message, or the stand-in for one that was never accepted, as reported to its origin. */
export interface Reported extends Pick<MessageRow, 'operation_id' | 'origin' | 'origin_id'> {
  /** Undefined for a message that was not accepted. */
  message_id: string | undefined;
  /** Of a charged message. */
  credit_log_id?: string | undefined;
  status: 'sent' | 'failed' | 'unknown';
  error?: ErrorBody | undefined;
}

/** Reports the outcome of a message to its origin, in the transaction that decides it. A request needs no report. */
export const report = async (
  outbox: Outbox,
  tx: Transaction,
  tenant: Tenant,
  reported: Reported,
): Promise<void> => {
  const { origin, origin_id, operation_id, status, error } = reported;
  if (origin_id === null || origin === 'send' || origin === 'bulk') return;
  await endDeferred(tenant, tx, operation_id);
  const error_details = error?.error_details ?? error?.details ?? error?.message;
  if (origin === 'schedule') {
    const { message_id = null } = reported;
    const told = { error: error?.code ?? null, error_details: error_details ?? null };
    return endRun(tenant, tx, { operation_id, status, message_id, ...told });
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

/** Tells the queue of a batch what its digest leaves out, in the transaction that accepts the digest. */
export const reportLeftOut = async (
  outbox: Outbox,
  tx: Transaction,
  { organizationId: organization_id, environment }: Tenant,
  digest: { operationId: string; originId: string; leftOut: LeftOut | undefined },
): Promise<void> => {
  const { operationId: operation_id, originId: batch_id, leftOut: left_out } = digest;
  if (!left_out) return;
  await outbox.add(tx, noteLeftOut, { organization_id, environment, batch_id, operation_id, left_out });
};

/**
 * Turns an unknown message that was found in its channel into a sent one, and reports it to its origin.
 * @returns false when it was not unknown
 */
export const resolve = (
  {
    database,
    outbox,
    clock,
    countEvents,
  }: Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'clock'> & { countEvents: CountEvents },
  tenant: Tenant,
  id: string,
  messageTs: string,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const message = await resolveUnknown(tenant, tx, id, messageTs, countEvents);
    if (!message) return false;
    const { revises, change, request_id: requestId, actor_id } = message;
    if (revises !== null) await showRevision(tenant, tx, { id, revises });
    // It was forgotten when the change ended as unknown; a click on what the change replaced has brought it again.
    if (revises !== null && change !== 'interaction') await forgetContent(tenant, tx, revises);
    if (revises !== null && change === 'delete') {
      await recordDeleted(
        tx,
        outbox,
        { requestId },
        {
          id: revises,
          changes: { requested_by: actor_id, was_unknown: true },
          at: clock.now(),
          owner: { organization_id: tenant.organizationId, environment: tenant.environment },
          actor: { type: 'system', id: 'delivery' },
        },
      );
    }
    await report(outbox, tx, tenant, { ...message, message_id: revises ?? id, status: 'sent' });
    return true;
  });
