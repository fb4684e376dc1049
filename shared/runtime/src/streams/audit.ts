import { type Actor, type AuditEntry, type Environment, recordAudit } from '@stanza/contracts';
import type { Transaction } from '../database/database.ts';
import { InvariantError } from '../invariant.ts';
import { redactFields } from '../observability/log.ts';
import type { CallContext } from '../rpc/context.ts';
import type { Outbox } from './outbox.ts';

/** A change as the operation that makes it describes it; who, where and in which request follow from the call. */
export interface AuditedChange {
  /** What was done to which kind of subject: `template.created`, `chat_connection.replaced`. */
  action: `${string}.${string}`;
  subject: { kind: string; id: string };
  /** Facts that tell this change from others: a name, a number, what a field was and is. No secrets, no content. */
  changes?: Readonly<Record<string, unknown>>;
  at: Date;
  /**
   * Whose change it is, where that is not the environment of the call: an operator's call has none, and what belongs
   * to both environments of an organization says `environment: null`.
   */
  owner?: { organization_id: string; environment: Environment | null };
  /** Who made it, where that is neither the principal of the call nor an operator. */
  actor?: Actor;
}

/** What a call tells about a change. */
export type AuditContext = Pick<CallContext, 'principal' | 'requestId' | 'client'>;

/** Stands for whoever runs the operator's commands; they come in without a principal. */
const operator: Actor = { type: 'system', id: 'operator' };

/**
 * The line of the audit log for a change.
 * @throws InvariantError when neither the call nor the change says whose it is
 */
export const auditEntry = (
  { principal, requestId, client }: AuditContext,
  change: AuditedChange,
): AuditEntry => {
  const { organization_id, environment } = change.owner ?? principal ?? {};
  if (organization_id === undefined || environment === undefined) {
    throw new InvariantError(`${change.action} is nobody's change`);
  }
  return {
    organization_id,
    environment,
    actor: change.actor ?? principal?.actor ?? operator,
    action: change.action,
    subject: change.subject,
    changes: redactFields({ ...change.changes }),
    request_id: requestId,
    ...(client && { client }),
    at: change.at.toISOString(),
  };
};

/**
 * Puts a change on record in the transaction that makes it: no change without its line in the audit log, and no line
 * without its change. One call in each operation that changes something:
 *
 * `await audit(tx, outbox, context, { action: 'modal.created', subject: { kind: 'modal', id }, changes: { name }, at });`
 *
 * The line travels through the outbox to the organization service, which keeps the log and writes each line once.
 */
export const audit = (
  tx: Transaction,
  outbox: Outbox,
  context: AuditContext,
  change: AuditedChange,
): Promise<void> => outbox.add(tx, recordAudit, auditEntry(context, change));
