import { apiKeyDigest, apiKeyPrefix, newApiKey, type Scope } from '@stanza/contracts';
import type { AuditContext, Tenant, Transaction } from '@stanza/runtime';
import type { KeyHashes } from './domain/key-hash.ts';
import { addKey } from './store/api-keys.ts';
import { record } from './store/audit-log.ts';

/** The properties of a new key. */
export interface KeyFacts {
  /** Its scopes are limited to the role of this user at each use. */
  userId: string;
  /** The key that creates it; undefined for a person or an operator. */
  parentId?: string | undefined;
  name: string;
  description: string | undefined;
  scopes: readonly Scope[];
  /** CIDRs from where it may be used; empty: from anywhere. */
  allowedAddresses: readonly string[];
  expiresAt: string | undefined;
  at: Date;
}

/** A new key. */
export interface IssuedKey {
  id: string;
  /** Contained in this answer only: the database stores its hash and prefix. */
  key: string;
  prefix: string;
}

/** Creates a key, stores its hash, and writes the audit log. */
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
