import { type Actor, cutScopes, type Scope, scopesOfRole } from '@stanza/contracts';
import type { Tenant } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import { showKey } from './store/api-keys.ts';
import { findMember } from './store/members.ts';

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
export const scopesOfActor = async (
  needs: Needs,
  tenant: Tenant,
  actor: Actor,
): Promise<readonly Scope[]> => {
  if (actor.type === 'api_key') return scopesOfKey(needs, tenant, actor.id);
  if (actor.type !== 'session' || actor.user_id === undefined) return [];
  const member = await findMember(needs.database, tenant.organizationId, actor.user_id);
  return member ? scopesOfRole(member.role) : [];
};
