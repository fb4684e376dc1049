import { CodedError, cutScopes, validateToken as operation, scopesOfRole } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { type ShownKey, showKey } from '../store/api-keys.ts';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

const presentToken = (key: ShownKey) => ({
  type: 'api_key' as const,
  key_prefix: key.prefix,
  name: key.name,
  description: key.description,
  scopes: cutScopes(key.scopes, key.role),
  created_at: time(key.created_at),
  last_used_at: time(key.last_used_at),
  expires_at: time(key.expires_at),
  status: 'active' as const,
  client_id: null,
});

/** Shows the key of the call, its user and the organization, as they are now and not as the gateway remembers them. */
export const validateToken = ({ database, clock }: Pick<Parts, 'database' | 'clock'>) =>
  handle(operation, async ({ tenant, principal: { actor } }) => {
    const key = actor.type === 'api_key' ? await showKey(database, tenant, actor.id) : undefined;
    const isOver = key?.expires_at ? key.expires_at <= clock.now() : false;
    if (!key || key.revoked_at || isOver) throw new CodedError('invalid_token');
    const organization = { id: tenant.organizationId, name: key.organization_name };
    return {
      valid: true,
      user: {
        id: key.user_id,
        first_name: key.first_name,
        last_name: key.last_name,
        email: key.email,
        organization_id: organization.id,
        organization_name: organization.name,
        role: key.role,
        scopes: [...scopesOfRole(key.role)],
        created_at: key.user_created_at.toISOString(),
        last_active: time(key.last_active_at),
      },
      token: presentToken(key),
      organization: {
        ...organization,
        status: key.status,
        member_count: key.member_count,
        credit_balance: key.balance,
      },
    };
  });
