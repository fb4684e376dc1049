import { notFound, type ScimUser } from '@stanza/contracts';
import type { CallContext } from '@stanza/runtime';
import { deactivateMember, nameExternally, reactivateMember } from './deactivate-member.ts';
import type { AccessDependencies, Dependencies } from './dependencies.ts';
import { checkImmutable, externalIdIn, scimUserResource } from './domain/scim.ts';
import { findProvisioned } from './store/provisioned-users.ts';

/** A request of an identity provider about one member. */
export interface ProvisioningCall {
  principal: Parameters<typeof deactivateMember>[1]['principal'];
  context: CallContext;
  input: { params: { id: string } };
}

/**
 * Activates or deactivates a member, and keeps what the provider calls them, at an identity provider's request, and
 * returns the member's new state.
 * @param asked `active` is undefined where the request does not set it
 * @throws CodedError `user_not_found` for a user who is neither a member nor deactivated
 */
export const provision = (
  { database, clock, outbox, log }: AccessDependencies & Pick<Dependencies, 'log'>,
  { principal, context, input }: ProvisioningCall,
  { active, values }: { active: boolean | undefined; values: Readonly<Record<string, unknown>> },
): Promise<ScimUser> =>
  database.transaction(async (tx) => {
    const userId = input.params.id.toLowerCase();
    const member = { outbox, context, principal, userId, at: clock.now(), log };
    const before = await findProvisioned(tx, principal.organization_id, userId);
    if (!before) throw notFound('user');
    // Who is to be let in no more is not kept in by a new name.
    if (active !== false) checkImmutable(values, before);
    if (active === false) await deactivateMember(tx, member);
    if (active === true) await reactivateMember(tx, member);
    await nameExternally(tx, member, before, externalIdIn(values));
    const user = await findProvisioned(tx, principal.organization_id, userId);
    if (!user) throw notFound('user');
    return scimUserResource(principal.organization_id, user);
  });
