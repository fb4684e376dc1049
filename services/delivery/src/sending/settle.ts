import { settleReservation } from '@stanza/contracts';
import type { Outbox, Tenant, Transaction } from '@stanza/runtime';

/** A reserved message, as far as its settlement is concerned. */
export interface Settled {
  operationId: string;
  item: number;
  messageId: string;
  creditLogId: string;
}

/** Writes the settlement of a message into the transaction that decides about it. */
export const settle = (
  outbox: Outbox,
  tx: Transaction,
  tenant: Tenant,
  { operationId, item, messageId, creditLogId }: Settled,
  charged: boolean,
): Promise<void> =>
  outbox.add(tx, settleReservation, {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    operation_id: operationId,
    items: [{ item, charged, credit_log_id: creditLogId, message_id: messageId }],
  });
