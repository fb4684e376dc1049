import type { Actor } from '@stanza/contracts';
import type { AuditContext, Transaction } from '@stanza/runtime';
import { record } from './store/audit-log.ts';
import type { Identity } from './store/identities.ts';
import { organizationsReached } from './store/profiles.ts';

/** An identity whose sessions act as a user from now on. */
export interface NewBinding {
  identity: Identity;
  userId: string;
  /** The actor who bound it, if not the caller of the context. */
  actor?: Actor;
  at: Date;
}

/**
 * Writes a binding to the audit log of every organization that its sessions reach, or would reach after a reactivation.
 */
export const recordBinding = async (
  tx: Transaction,
  context: AuditContext,
  { identity: { issuer, subject }, userId, actor, at }: NewBinding,
): Promise<void> => {
  for (const id of await organizationsReached(tx, userId)) {
    await record(tx, context, {
      action: 'user.identity_bound',
      subject: { kind: 'user', id: userId },
      changes: { issuer, subject },
      owner: { organization_id: id, environment: null },
      ...(actor && { actor }),
      at,
    });
  }
};
