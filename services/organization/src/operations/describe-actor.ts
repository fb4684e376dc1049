import {
  type Actor,
  cutScopes,
  notFound,
  describeActor as operation,
  type Scope,
  scopesOfRole,
} from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { showKey } from '../store/api-keys.ts';
import { findMember } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';
import { findUser } from '../store/people.ts';

type Needs = Pick<Dependencies, 'database' | 'clock'>;

const scopesOfKey = async (
  { database, clock }: Needs,
  tenant: Tenant,
  id: string,
): Promise<readonly Scope[]> => {
  const key = await showKey(database, tenant, id);
  if (!key || key.revoked_at) return [];
  return key.expires_at && key.expires_at <= clock.now() ? [] : cutScopes(key.scopes, key.role);
};

/** The current rights of an actor; the system itself starts nothing that another actor continues. */
const scopesOf = async (needs: Needs, tenant: Tenant, actor: Actor): Promise<readonly Scope[]> => {
  if (actor.type === 'api_key') return scopesOfKey(needs, tenant, actor.id);
  if (actor.type !== 'session' || actor.user_id === undefined) return [];
  const member = await findMember(needs.database, tenant.organizationId, actor.user_id);
  return member ? scopesOfRole(member.role) : [];
};

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
    const held = await scopesOf(needs, new Tenant(organization_id, environment), actor);
    return {
      organization_name: organization.name,
      user_email: await emailOf(needs, organization_id, actor),
      may: organization.status === 'active' && held.includes(scope),
    };
  });
