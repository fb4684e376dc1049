import {
  type Actor,
  type AuditAction,
  type AuditEntry,
  type DeletedKind,
  type Environment,
  recordAudit,
} from '@stanza/contracts';
import type { Transaction } from '../database/database.ts';
import { InvariantError } from '../invariant.ts';
import { redactFields } from '../observability/log.ts';
import type { CallContext } from '../rpc/context.ts';
import type { Outbox } from './outbox.ts';

/** A change as its operation describes it; actor, tenant and request come from the call. */
export interface AuditedChange {
  /** The kind of subject and the change: `template.created`. */
  action: AuditAction;
  subject: { kind: string; id: string };
  /** Facts of this change: a name, a number, the old and the new value of a field. No secrets, no content. */
  changes?: Readonly<Record<string, unknown>>;
  at: Date;
  /**
   * The tenant of the change, where it is not that of the call: an operator's call has none, and a change of both
   * environments of an organization has `environment: null`.
   */
  owner?: { organization_id: string; environment: Environment | null };
  /** The actor, where it is neither the principal of the call nor an operator. */
  actor?: Actor;
}

/** The part of a call's context that the audit log needs. */
export type AuditContext = Pick<CallContext, 'principal' | 'requestId' | 'client' | 'operator'> &
  Partial<Pick<CallContext, 'operationId'>>;

/** The actor of the operator's commands, which are called without a principal. */
const operator: Actor = { type: 'system', id: 'operator' };

/**
 * The line of the audit log for a change.
 * @throws InvariantError when neither the call nor the change has an organization
 */
export const auditEntry = (
  { principal, requestId, operationId, client, operator: name }: AuditContext,
  change: AuditedChange,
): AuditEntry => {
  const { organization_id, environment } = change.owner ?? principal ?? {};
  if (organization_id === undefined || environment === undefined) {
    throw new InvariantError(`${change.action} has no organization`);
  }
  return {
    organization_id,
    environment,
    actor: change.actor ?? principal?.actor ?? { ...operator, ...(name && { name }) },
    action: change.action,
    subject: change.subject,
    changes: redactFields({ ...change.changes }),
    request_id: requestId,
    ...(operationId && { operation_id: operationId }),
    ...(client && { client }),
    at: change.at.toISOString(),
  };
};

/**
 * Records a change in the transaction that makes it: no change without its line in the audit log, and no line without
 * its change. Each operation that changes something calls it once:
 *
 * `await audit(tx, outbox, context, { action: 'modal.created', subject: { kind: 'modal', id }, changes: { name }, at
 * });`
 *
 * The line travels through the outbox to the organization service, which keeps the log and writes each line once.
 */
export const audit = (
  tx: Transaction,
  outbox: Outbox,
  context: AuditContext,
  change: AuditedChange,
): Promise<void> => outbox.add(tx, recordAudit, auditEntry(context, change));

/** A deleted subject as its line in the audit log names it. */
export interface AuditedDeletion extends Pick<AuditedChange, 'changes' | 'at'> {
  kind: DeletedKind;
  id: string;
}

/** Records a deletion in its transaction, see {@link audit}, and answers what the API answers to one. */
export const auditDeletion = async (
  tx: Transaction,
  outbox: Outbox,
  context: AuditContext,
  { kind, id, ...rest }: AuditedDeletion,
): Promise<{ success: true; id: string }> => {
  await audit(tx, outbox, context, { action: `${kind}.deleted`, subject: { kind, id }, ...rest });
  return { success: true, id };
};
