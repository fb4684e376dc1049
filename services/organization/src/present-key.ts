import { type ApiKeyResource, cutScopes } from '@stanza/contracts';
import type { ListedKey } from './store/key-list.ts';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

const statusOf = (key: ListedKey, now: Date): ApiKeyResource['status'] => {
  if (key.revoked_at !== null || key.role === null) return 'revoked';
  return key.expires_at !== null && key.expires_at <= now ? 'expired' : 'active';
};

/** A key as the API shows it at a moment. */
export const presentKey = (key: ListedKey, now: Date): ApiKeyResource => ({
  id: key.id,
  name: key.name,
  description: key.description,
  environment: key.environment,
  key_prefix: key.prefix,
  scopes: key.role === null ? [] : cutScopes(key.scopes, key.role),
  allowed_addresses: key.allowed_addresses,
  user_id: key.user_id,
  parent_key_id: key.parent_id,
  status: statusOf(key, now),
  created_at: key.created_at.toISOString(),
  last_used_at: time(key.last_used_at),
  expires_at: time(key.expires_at),
  revoked_at: time(key.revoked_at),
});
