import {
  CodedError,
  cutScopes,
  type Environment,
  validateToken as operation,
  type Person,
  type ReplyOf,
  scopesOfRole,
} from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { type ShownKey, showKey } from '../store/api-keys.ts';
import { type ShownMember, showMember } from '../store/members.ts';

type Reply = ReplyOf<typeof operation>;

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

const presentKey = (key: ShownKey, environment: Environment): Reply['token'] => ({
  type: 'api_key',
  environment,
  key_prefix: key.prefix,
  name: key.name,
  description: key.description,
  scopes: cutScopes(key.scopes, key.role),
  created_at: time(key.created_at),
  last_used_at: time(key.last_used_at),
  expires_at: time(key.expires_at),
  status: 'active',
  client_id: null,
});

const presentSession = (member: ShownMember, person: Person, environment: Environment): Reply['token'] => ({
  type: 'session',
  environment,
  key_prefix: null,
  name: null,
  description: null,
  scopes: [...scopesOfRole(member.role)],
  created_at: person.issued_at ?? null,
  last_used_at: null,
  expires_at: person.expires_at ?? null,
  status: 'active',
  client_id: person.client_id ?? null,
});

const present = (organizationId: string, member: ShownMember, token: Reply['token']): Reply => ({
  valid: true,
  user: {
    id: member.user_id,
    first_name: member.first_name,
    last_name: member.last_name,
    email: member.email,
    organization_id: organizationId,
    organization_name: member.organization_name,
    role: member.role,
    scopes: [...scopesOfRole(member.role)],
    created_at: member.user_created_at.toISOString(),
    last_active: time(member.last_active_at),
  },
  token,
  organization: {
    id: organizationId,
    name: member.organization_name,
    status: member.status,
    member_count: member.member_count,
    credit_balance: member.balance,
  },
});

/**
 * Shows the key or session of the call, its user and the organization, in their current state rather than the gateway's
 * cached one.
 */
export const validateToken = ({ database, clock }: Pick<Dependencies, 'database' | 'clock'>) =>
  handle(operation, async (call) => {
    const { tenant } = call;
    const { actor } = call.principal;
    if (actor.type === 'session' && actor.user_id !== undefined) {
      const member = await showMember(database, tenant.organizationId, actor.user_id);
      if (!member) throw new CodedError('invalid_token');
      return present(tenant.organizationId, member, presentSession(member, call.person, tenant.environment));
    }
    const key = actor.type === 'api_key' ? await showKey(database, tenant, actor.id) : undefined;
    const isOver = key?.expires_at ? key.expires_at <= clock.now() : false;
    if (!key || key.revoked_at || isOver) throw new CodedError('invalid_token');
    return present(tenant.organizationId, key, presentKey(key, tenant.environment));
  });
