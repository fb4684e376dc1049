import { notFound, getOrganizationStatus as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { scopesOfActor } from '../scopes-of-actor.ts';
import { findAnyOrganization } from '../store/organizations.ts';

/** Answers other services whether an organization is active, its policies, and what an actor may do now. */
export const getOrganizationStatus = (needs: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async ({ input: { organization_id, holder } }) => {
    const organization = await findAnyOrganization(needs.database, organization_id);
    if (!organization) throw notFound('organization');
    const { status, guard_activation, activation } = organization;
    const answer = { status, guard_activation, activation };
    if (!holder) return answer;
    const tenant = new Tenant(organization_id, holder.environment);
    const held = await scopesOfActor(needs, tenant, holder.actor);
    return { ...answer, may: status === 'active' && held.includes(holder.scope) };
  });
