import { accessChanged, notFound, transferOwnership as operation } from '@stanza/contracts';
import { handle, type Transaction } from '@stanza/runtime';
import type { AccessDependencies } from '../dependencies.ts';
import { checkOwn, denied } from '../domain/errors.ts';
import { checkGivenScopes } from '../domain/roles.ts';
import { presentUser } from '../present-people.ts';
import { record } from '../store/audit-log.ts';
import { lockOwner, lockRole } from '../store/members.ts';
import { findUser, setRole } from '../store/people.ts';

const readUser = async (tx: Transaction, organizationId: string, userId: string) => {
  const user = await findUser(tx, organizationId, userId);
  if (!user) throw notFound('user');
  return presentUser(user);
};

/** Makes another member the owner and the previous owner an admin, and notifies every gateway. */
export const transferOwnership = ({ database, clock, outbox }: AccessDependencies) =>
  handle(operation, async ({ tenant, principal, context, input: { params, body } }) => {
    checkOwn(tenant, params.id);
    const { organizationId: organization_id } = tenant;
    return database.transaction(async (tx) => {
      // Of two concurrent transfers the second finds that its caller is no longer the owner.
      const owner = await lockOwner(tx, organization_id);
      if (owner === undefined || owner !== principal.actor.user_id) {
        throw denied('Only the owner can transfer the ownership.', principal);
      }
      const role = await lockRole(tx, organization_id, body.user_id);
      if (role === undefined) throw notFound('user');
      if (role === 'owner') {
        const same = await readUser(tx, organization_id, owner);
        return { success: true as const, owner: same, previous_owner: same };
      }
      checkGivenScopes(principal, 'owner');
      await setRole(tx, organization_id, owner, 'admin');
      await setRole(tx, organization_id, body.user_id, 'owner');
      await outbox.add(tx, accessChanged, { organization_id });
      const made = await readUser(tx, organization_id, body.user_id);
      await record(tx, context, {
        action: 'organization.ownership_transferred',
        subject: { kind: 'organization', id: organization_id },
        changes: { owner_id: { from: owner, to: made.id }, new_owner_was: role },
        owner: { organization_id, environment: null },
        at: clock.now(),
      });
      const previous_owner = await readUser(tx, organization_id, owner);
      return { success: true as const, owner: made, previous_owner };
    });
  });
