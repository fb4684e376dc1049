import { type Actor, notFound, describeActor as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { scopesOfActor } from '../scopes-of-actor.ts';
import { findOrganization } from '../store/organizations.ts';
import { findUser } from '../store/people.ts';

type Needs = Pick<Dependencies, 'database' | 'clock'>;

/** The address of the person behind an actor, while they are a member. */
const emailOf = async ({ database }: Needs, organizationId: string, actor: Actor): Promise<string | null> => {
  if (actor.user_id === undefined) return null;
  return (await findUser(database, organizationId, actor.user_id))?.email ?? null;
};

/** Answers whether an actor who started something may still continue it. */
export const describeActor = (needs: Needs) =>
  handle(operation, async ({ input: { organization_id, environment, actor, scope } }) => {
    const organization = await findOrganization(needs.database, organization_id);
    if (!organization) throw notFound('organization');
    const held = await scopesOfActor(needs, new Tenant(organization_id, environment), actor);
    return {
      organization_name: organization.name,
      user_email: await emailOf(needs, organization_id, actor),
      may: organization.status === 'active' && held.includes(scope),
    };
  });
