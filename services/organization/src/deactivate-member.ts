import { accessChanged, notFound, type Principal, type Role } from '@stanza/contracts';
import type { AuditContext, Logger, Outbox, Transaction } from '@stanza/runtime';
import type { ProvisionedUser } from './domain/scim.ts';
import { record } from './store/audit-log.ts';
import { revokeInvitationsOf } from './store/invitations.ts';
import { lockRole, putMembership } from './store/members.ts';
import { removeMember } from './store/people.ts';
import {
  forgetDeactivated,
  rememberMember,
  revokeInvitationsFor,
  writeExternalId,
} from './store/provisioned-users.ts';

/** The member that an identity provider changes, and the caller. */
export interface ProvisionedMember {
  outbox: Outbox;
  context: AuditContext;
  principal: Principal;
  userId: string;
  at: Date;
  log: Logger;
}

/** Tells that the owner is gone: the organization can neither be handed over nor deleted by its people. */
const warnOperator = ({ log, principal }: ProvisionedMember, role: Role): void => {
  if (role !== 'owner') return;
  const { organization_id } = principal;
  log.warn({ organization_id }, 'the owner was deactivated by the identity provider; name another');
};

type Change = 'member.deactivated' | 'member.reactivated' | 'member.removed';

const putOnRecord = async (
  tx: Transaction,
  { outbox, context, principal: { organization_id }, userId, at }: ProvisionedMember,
  action: Change,
  changes: Record<string, unknown>,
): Promise<void> => {
  await outbox.add(tx, accessChanged, { organization_id });
  await record(tx, context, {
    action,
    subject: { kind: 'user', id: userId },
    changes: { ...changes, by: 'scim' },
    owner: { organization_id, environment: null },
    at,
  });
};

/** Ends a membership with everything that depends on it: keys, sessions, and the invitations that would restore it. */
export const endMembership = async (tx: Transaction, organizationId: string, userId: string, at: Date) => {
  const revoked_keys = await removeMember(tx, organizationId, userId, at);
  const made = await revokeInvitationsOf(tx, organizationId, userId, at);
  const received = await revokeInvitationsFor(tx, organizationId, userId, at);
  return { revoked_keys, revoked_invitations: made + received };
};

/**
 * Deactivates a member until they are reactivated. A deactivated member stays unchanged. Ownership passes to nobody: who may
 * make a key for the provider must not become the owner by it.
 */
export const deactivateMember = async (tx: Transaction, member: ProvisionedMember): Promise<void> => {
  const { principal, userId, at } = member;
  const { organization_id } = principal;
  const role = await lockRole(tx, organization_id, userId);
  if (role === undefined) return;
  warnOperator(member, role);
  await rememberMember(tx, organization_id, userId, at);
  const revoked = await endMembership(tx, organization_id, userId, at);
  await putOnRecord(tx, member, 'member.deactivated', { role, ...revoked });
};

/** Restores a deactivated member in their former role, joined when they were. An active member stays unchanged. */
export const reactivateMember = async (tx: Transaction, member: ProvisionedMember): Promise<void> => {
  const { principal, userId } = member;
  const { organization_id } = principal;
  const remembered = await forgetDeactivated(tx, organization_id, userId);
  if (!remembered?.is_user || (await lockRole(tx, organization_id, userId)) !== undefined) return;
  const { role, joined_at } = remembered;
  await putMembership(tx, organization_id, { userId, role, at: joined_at });
  await putOnRecord(tx, member, 'member.reactivated', { role });
};

/** Keeps what the identity provider calls a person; undefined leaves it as it is. */
export const nameExternally = async (
  tx: Transaction,
  { context, principal: { organization_id }, userId, at }: ProvisionedMember,
  { external_id: from }: Pick<ProvisionedUser, 'external_id'>,
  to: string | null | undefined,
): Promise<void> => {
  if (to === undefined || to === from) return;
  await writeExternalId(tx, organization_id, userId, to);
  await record(tx, context, {
    action: 'member.external_id_changed',
    subject: { kind: 'user', id: userId },
    changes: { external_id: { from, to }, by: 'scim' },
    owner: { organization_id, environment: null },
    at,
  });
};

/**
 * The role of a member who is removed for good, locked, else the former role of a deactivated one. What is kept of them for
 * the identity provider is deleted either way. The second lookup finds a member who is reactivated concurrently.
 */
export const takeRole = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> => {
  const role = await lockRole(tx, organizationId, userId);
  const remembered = await forgetDeactivated(tx, organizationId, userId);
  await writeExternalId(tx, organizationId, userId, null);
  return role ?? remembered?.role ?? (await lockRole(tx, organizationId, userId));
};

/**
 * Removes a member, active or deactivated, for good.
 * @throws CodedError `user_not_found` for any other user
 */
export const removeProvisioned = async (tx: Transaction, member: ProvisionedMember): Promise<void> => {
  const { principal, userId, at } = member;
  const { organization_id } = principal;
  const role = await takeRole(tx, organization_id, userId);
  if (role === undefined) throw notFound('user');
  warnOperator(member, role);
  const revoked = await endMembership(tx, organization_id, userId, at);
  await putOnRecord(tx, member, 'member.removed', { role, ...revoked });
};
