import { CodedError, createScimUser as operation } from '@stanza/contracts';
import { handle, InvariantError, Tenant, type Transaction } from '@stanza/runtime';
import { checkRoom } from '../check-room.ts';
import { deactivateMember } from '../deactivate-member.ts';
import type { AccessDependencies, Dependencies } from '../dependencies.ts';
import { checkGivenScopes, checkGrant } from '../domain/roles.ts';
import { activeOf, askedUser, scimUserResource } from '../domain/scim.ts';
import { record } from '../store/audit-log.ts';
import { hasAccess } from '../store/identities.ts';
import { ensureUser, putMembership } from '../store/members.ts';
import { countMembers, findProvisioned, writeExternalId } from '../store/provisioned-users.ts';

const taken = (message: string): CodedError => new CodedError('already_exists', { message });

/**
 * Whoever signs in elsewhere already, or will since an operator has named them, is asked by an invitation. A person whom
 * another provider alone has named is not kept from this one.
 */
const checkNew = async (tx: Transaction, organizationId: string, userId: string): Promise<void> => {
  if (await findProvisioned(tx, organizationId, userId))
    throw taken('The person is a member already, or a deactivated one: set active to true.');
  if (await hasAccess(tx, userId)) throw taken('The person has access here already: invite them.');
};

/** Adds a member at an identity provider's request, a viewer unless it says more; one who is not active yet comes later. */
export const createScimUser = ({
  database,
  clock,
  outbox,
  tiers,
  log,
}: AccessDependencies & Pick<Dependencies, 'tiers' | 'log'>) =>
  handle(operation, async ({ principal, context, input: { body } }) => {
    const active = activeOf(body);
    const { email, external_id, first_name, last_name, role = 'viewer' } = askedUser(body);
    if (role !== 'viewer') {
      checkGrant(principal, role);
      checkGivenScopes(principal, role, 'viewer');
    }
    const { organization_id } = principal;
    const at = clock.now();
    return database.transaction(async (tx) => {
      const count = () => countMembers(tx, organization_id);
      await checkRoom(tx, Tenant.of(principal), { tiers, kind: 'members', count });
      const userId = await ensureUser(
        tx,
        { email, first_name, last_name },
        {
          by: 'provider',
          organizationId: organization_id,
          at,
        },
      );
      await checkNew(tx, organization_id, userId);
      await putMembership(tx, organization_id, { userId, role, at });
      await writeExternalId(tx, organization_id, userId, external_id);
      await record(tx, context, {
        action: 'member.added',
        subject: { kind: 'user', id: userId },
        changes: { role, by: 'scim', ...(external_id !== null && { external_id }) },
        owner: { organization_id, environment: null },
        at,
      });
      if (active === false) await deactivateMember(tx, { outbox, context, principal, userId, at, log });
      const user = await findProvisioned(tx, organization_id, userId);
      if (!user) throw new InvariantError('the member was not added');
      return scimUserResource(organization_id, user);
    });
  });
