import { accessChanged, notFound, deleteUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { endMembership, takeRole } from '../deactivate-member.ts';
import type { AccessDependencies } from '../dependencies.ts';
import { checkNotOwner } from '../domain/roles.ts';
import { record } from '../store/audit-log.ts';

/**
 * Removes a user, active or deactivated, from the organization, with their keys of it and the invitations they made or
 * received, since one of these could restore the membership. Every gateway is notified.
 */
export const deleteUser = ({ database, clock, outbox }: AccessDependencies) =>
  handle(operation, async ({ tenant, principal, context, input: { params } }) => {
    const { organizationId: organization_id } = tenant;
    const { id } = params;
    await database.transaction(async (tx) => {
      const role = await takeRole(tx, organization_id, id);
      if (role === undefined) throw notFound('user');
      checkNotOwner(principal, role);
      const at = clock.now();
      const revoked = await endMembership(tx, organization_id, id, at);
      await outbox.add(tx, accessChanged, { organization_id });
      await record(tx, context, {
        action: 'member.removed',
        subject: { kind: 'user', id: id.toLowerCase() },
        changes: { role, ...revoked },
        owner: { organization_id, environment: null },
        at,
      });
    });
    return { success: true as const, id };
  });
