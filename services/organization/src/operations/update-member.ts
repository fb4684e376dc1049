import { notFound, updateMember as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { changeRole } from '../change-role.ts';
import type { AccessDependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { checkNotOwner } from '../domain/roles.ts';
import { presentUser } from '../present-people.ts';
import { lockRole } from '../store/members.ts';
import { findUser } from '../store/people.ts';

/**
 * Changes a member's role and notifies every gateway, which limits their keys and sessions to it.
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
      const change = { outbox, context, principal, at: clock.now() };
      await changeRole(tx, change, user.id, { from: before, to: body.role });
      return presentUser({ ...user, role: body.role });
    });
  });
