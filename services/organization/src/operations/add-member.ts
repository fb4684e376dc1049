import { accessChanged, CodedError, notFound, addMember as operation, type Role } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { mayInvite } from '../domain/roles.ts';
import { knownIdentities } from '../known-identities.ts';
import { record } from '../store/audit-log.ts';
import type { Identity } from '../store/identities.ts';
import { revokeInvitationsOf } from '../store/invitations.ts';
import { ensureUser, lockOwner, lockRole, normalizeEmail, putMembership } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';

const ownerStays = 'Ownership changes by transfer only, and the owner keeps their role until then.';

const changeOf = (before: Role | undefined, role: Role, identities: readonly Identity[], revoked: number) =>
  before === undefined
    ? { action: 'member.added' as const, changes: { role, identities } }
    : {
        action: 'member.role_changed' as const,
        changes: { role: { from: before, to: role }, ...(revoked > 0 && { revoked_invitations: revoked }) },
      };

/** Ends what a role without the right to invite may not leave behind; answers how much that was. */
const withoutRight = async (role: Role, revoke: () => Promise<number>): Promise<number> =>
  mayInvite(role) ? 0 : revoke();

/**
 * Adds a member, or changes a member's role and notifies every gateway. A user who signs in already is added only after
 * the operator confirms their identity. A role without the right to invite ends the member's pending invitations. An
 * organization whose owner was deactivated gets another one here.
 */
export const addMember = ({ database, clock, outbox }: AccessDependencies) =>
  handle(operation, async ({ input, context }) => {
    const { organization_id, role } = input;
    const at = clock.now();
    return database.transaction(async (tx) => {
      if (role === 'owner' && (await lockOwner(tx, organization_id)) !== undefined)
        throw new CodedError('access_denied', { message: ownerStays });
      const organization = await findOrganization(tx, organization_id);
      if (!organization) throw notFound('organization');
      const person = {
        email: normalizeEmail(input.email),
        first_name: input.first_name,
        last_name: input.last_name,
      };
      const user_id = await ensureUser(tx, person, { by: 'operator', organizationId: organization_id, at });
      const before = await lockRole(tx, organization_id, user_id);
      if (before === 'owner') throw new CodedError('access_denied', { message: ownerStays });
      const identities =
        before === undefined ? await knownIdentities(tx, user_id, input.existing === true) : [];
      await putMembership(tx, organization_id, { userId: user_id, role, at });
      if (before === role) return { user_id };
      if (before !== undefined) await outbox.add(tx, accessChanged, { organization_id });
      const revoked = await withoutRight(role, () => revokeInvitationsOf(tx, organization_id, user_id, at));
      await record(tx, context, {
        ...changeOf(before, role, identities, revoked),
        subject: { kind: 'user', id: user_id },
        owner: { organization_id, environment: null },
        at,
      });
      return { user_id };
    });
  });
