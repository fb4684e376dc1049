import { accessChanged, notFound, updateMember as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { checkGivenScopes, checkGrant, checkNotOwner, mayInvite } from '../domain/roles.ts';
import { presentUser } from '../present-people.ts';
import { record } from '../store/audit-log.ts';
import { revokeInvitationsOf } from '../store/invitations.ts';
import { lockRole } from '../store/members.ts';
import { findUser, setRole } from '../store/people.ts';

/**
 * Changes a member's role and notifies every gateway, which limits their keys and sessions to it. A role without the
 * right to invite ends the member's pending invitations.
 */
export const updateMember = ({ database, clock, outbox }: AccessDependencies) =>
  handle(operation, async ({ tenant, principal, context, input: { params, body } }) => {
    checkOwn(tenant, params.id);
    const { organizationId: organization_id } = tenant;
    return database.transaction(async (tx) => {
      const before = await lockRole(tx, organization_id, params.user_id);
      const user = await findUser(tx, organization_id, params.user_id);
      if (before === undefined || !user) throw notFound('user');
      if (before === body.role) return presentUser(user);
      checkNotOwner(principal, before);
      checkGrant(principal, body.role);
      checkGivenScopes(principal, body.role, before);
      const at = clock.now();
      const revoked_invitations = mayInvite(body.role)
        ? 0
        : await revokeInvitationsOf(tx, organization_id, user.id, at);
      await setRole(tx, organization_id, user.id, body.role);
      await outbox.add(tx, accessChanged, { organization_id });
      await record(tx, context, {
        action: 'member.role_changed',
        subject: { kind: 'user', id: user.id },
        changes: {
          role: { from: before, to: body.role },
          ...(revoked_invitations > 0 && { revoked_invitations }),
        },
        owner: { organization_id, environment: null },
        at,
      });
      return presentUser({ ...user, role: body.role });
    });
  });
