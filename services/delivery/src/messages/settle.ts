import { settleReservation } from '@stanza/contracts';
import type { Outbox, Tenant, Transaction } from '@stanza/runtime';

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
