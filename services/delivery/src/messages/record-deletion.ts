import { type AuditContext, type AuditedChange, audit, type Outbox, type Transaction } from '@stanza/runtime';

/** A deletion of a message, as the audit log tells it. */
interface Deletion extends Omit<AuditedChange, 'action' | 'subject'> {
  /** The message. */
  id: string;
}

const record =
  (action: AuditedChange['action']) =>
  (tx: Transaction, outbox: Outbox, context: AuditContext, { id, ...rest }: Deletion): Promise<void> =>
    audit(tx, outbox, context, { action, subject: { kind: 'message', id }, ...rest });

/** Records who wants a message deleted, with the row of the deletion: whatever comes of it has this line before it. */
export const recordDeletionRequest = record('message.deletion_requested');

/** Records that a message is gone, in the transaction that writes the outcome of its deletion. */
export const recordDeleted = record('message.deleted');
