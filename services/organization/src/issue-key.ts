import { apiKeyDigest, apiKeyPrefix, newApiKey, type Scope } from '@stanza/contracts';
import type { AuditContext, Tenant, Transaction } from '@stanza/runtime';
import type { KeyHashes } from './domain/key-hash.ts';
import { addKey } from './store/api-keys.ts';
import { record } from './store/audit-log.ts';

/** What is decided of a key before it is made. */
export interface KeyFacts {
  /** Its scopes are cut to the role of this user at each use. */
  userId: string;
  /** The key that makes it; undefined where a person or an operator does. */
  parentId?: string | undefined;
  name: string;
  description: string | undefined;
  scopes: readonly Scope[];
  /** CIDRs from where it may be used; none: from anywhere. */
  allowedAddresses: readonly string[];
  expiresAt: string | undefined;
  at: Date;
}

/** A new key. */
export interface IssuedKey {
  id: string;
  /** In this answer and nowhere else: stored are its hash and the prefix. */
  key: string;
  prefix: string;
}

/** Makes a key, stores what may be stored of it, and puts that on record. */
export const issueKey = async (
  tx: Transaction,
  keyHashes: KeyHashes,
  tenant: Tenant,
  context: AuditContext,
  facts: KeyFacts,
): Promise<IssuedKey> => {
  const key = newApiKey(tenant.environment);
  const prefix = apiKeyPrefix(key);
  const id = await addKey(tx, tenant, { ...facts, ...keyHashes.current(apiKeyDigest(key)), prefix });
  await record(tx, context, {
    action: 'api_key.created',
    subject: { kind: 'api_key', id },
    changes: {
      name: facts.name,
      user_id: facts.userId,
      scopes: facts.scopes,
      ...(facts.allowedAddresses.length > 0 && { allowed_addresses: facts.allowedAddresses }),
      expires_at: facts.expiresAt ?? null,
      ...(facts.parentId !== undefined && { parent_key_id: facts.parentId }),
    },
    owner: { organization_id: tenant.organizationId, environment: tenant.environment },
    at: facts.at,
  });
  return { id, key, prefix };
};
