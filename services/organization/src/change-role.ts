import { accessChanged, type Principal, type Role } from '@stanza/contracts';
import type { AuditContext, Outbox, Transaction } from '@stanza/runtime';
import { checkGivenScopes, checkGrant, mayInvite } from './domain/roles.ts';
import { record } from './store/audit-log.ts';
import { revokeInvitationsOf } from './store/invitations.ts';
import { setRole } from './store/people.ts';

/** Who changes a role, and how. */
export interface RoleChange {
  outbox: Outbox;
  context: AuditContext;
  principal: Principal;
  at: Date;
  /** Further facts for the audit log. */
  facts?: Record<string, unknown>;
}

/**
 * Gives a person another role, a deactivated one for when they come back, and notifies every gateway. A role without the
 * right to invite ends their pending invitations.
 * @throws CodedError `access_denied` or `insufficient_scope` for a role that the caller cannot give
 */
export const changeRole = async (
  tx: Transaction,
  { outbox, context, principal, at, facts }: RoleChange,
  userId: string,
  role: { from: Role; to: Role },
): Promise<void> => {
  checkGrant(principal, role.to);
  checkGivenScopes(principal, role.to, role.from);
  const { organization_id } = principal;
  const revoked_invitations = mayInvite(role.to)
    ? 0
    : await revokeInvitationsOf(tx, organization_id, userId, at);
  await setRole(tx, organization_id, userId, role.to);
  await outbox.add(tx, accessChanged, { organization_id });
  await record(tx, context, {
    action: 'member.role_changed',
    subject: { kind: 'user', id: userId },
    changes: { role, ...facts, ...(revoked_invitations > 0 && { revoked_invitations }) },
    owner: { organization_id, environment: null },
    at,
  });
};
