import type { Environment, Role } from '@stanza/contracts';
import {
  type Database,
  findRow,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { KeyHash } from '../domain/key-hash.ts';
import type { LastUses } from '../domain/uses.ts';
import type { ShownMember } from './members.ts';
import { namesFor } from './members.ts';
import type { OrganizationStatus } from './organizations.ts';

/** A key to store. */
export interface NewKey extends KeyHash {
  userId: string;
  parentId?: string | undefined;
  name: string;
  description: string | undefined;
  prefix: string;
  scopes: readonly string[];
  /** Empty: from anywhere. */
  allowedAddresses: readonly string[];
  expiresAt: string | undefined;
  at: Date;
}

const insertKey = statement<{ id: string }>(
  'api-key-insert',
  `insert into api_keys (id, organization_id, environment, user_id, name, description, prefix,
     hash, hash_key_id, scopes, expires_at, created_at, parent_id, allowed_addresses)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
   returning id`,
);

/** Stores a key; returns its id. */
export const addKey = async (database: Queryable, tenant: Tenant, key: NewKey): Promise<string> => {
  const id = uuidv7();
  await database.query(insertKey, [
    id,
    tenant.organizationId,
    tenant.environment,
    key.userId,
    key.name,
    key.description ?? null,
    key.prefix,
    key.hash,
    key.hashKeyId,
    key.scopes,
    key.expiresAt ?? null,
    key.at,
    key.parentId ?? null,
    key.allowedAddresses,
  ]);
  return id;
};

const countWorking = statement<{ stored: number }>(
  'api-keys-count-working',
  `select count(*) as stored
   from api_keys
   where organization_id = $1
     and revoked_at is null
     and (expires_at is null or expires_at > clock_timestamp())`,
);

/** Counts the keys of an organization, of both environments, that are neither revoked nor expired. */
export const countKeys = async (db: Queryable, organizationId: string): Promise<number> =>
  (await findRow(db, countWorking, [organizationId]))?.stored ?? 0;

/** Working keys that were hashed with one secret. */
export interface HashedKeys {
  hash_key_id: string;
  count: number;
}

const countOfOthers = statement<HashedKeys>(
  'api-keys-of-other-secrets',
  `select hash_key_id, count(*) as count
   from api_keys
   where hash_key_id <> all ($1::text[])
     and revoked_at is null
     and (expires_at is null or expires_at > clock_timestamp())
   group by hash_key_id
   order by hash_key_id`,
);

/** Counts the working keys, of all organizations, that were hashed with other secrets than these. */
export const countKeysOfOthers = (db: Queryable, secretIds: readonly string[]): Promise<HashedKeys[]> =>
  db.query(countOfOthers, [secretIds]);

/** A key with the current facts that decide about its use. */
export interface AuthenticatedKey {
  id: string;
  organization_id: string;
  environment: Environment;
  user_id: string;
  scopes: string[];
  allowed_addresses: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  /** Of the user who created the key. */
  role: Role;
  status: OrganizationStatus;
}

const selectByHash = statement<AuthenticatedKey>(
  'api-key-authenticate',
  `select api_keys.id, api_keys.organization_id, api_keys.environment, api_keys.user_id, api_keys.scopes,
     api_keys.allowed_addresses, api_keys.expires_at, api_keys.revoked_at, memberships.role, organizations.status
   from api_keys
   join memberships
     on memberships.organization_id = api_keys.organization_id and memberships.user_id = api_keys.user_id
   join organizations on organizations.id = api_keys.organization_id
   where api_keys.hash = any ($1::bytea[])`,
);

/** Finds a key by any of its hashes; undefined when it does not exist or its creator is no longer a member. */
export const findKeyByHash = async (
  database: Queryable,
  hashes: readonly Buffer[],
): Promise<AuthenticatedKey | undefined> => {
  const [found] = await database.query(selectByHash, [hashes]);
  return found;
};

/** The fields of a key, its user and their organization that its holder may see. */
export interface ShownKey
  extends Omit<AuthenticatedKey, 'organization_id' | 'environment' | 'allowed_addresses'>,
    ShownMember {
  prefix: string;
  name: string;
  description: string | null;
  created_at: Date;
  last_used_at: Date | null;
}

const selectShown = statement<ShownKey>(
  'api-key-show',
  `select api_keys.id, api_keys.prefix, api_keys.name, api_keys.description, api_keys.scopes,
     api_keys.created_at, api_keys.last_used_at, api_keys.expires_at, api_keys.revoked_at, api_keys.user_id,
     ${namesFor('$1')}, users.email, users.created_at as user_created_at, users.last_active_at,
     memberships.role, organizations.name as organization_name, organizations.status, credit_accounts.balance,
     (select count(*) from memberships where organization_id = $1) as member_count
   from api_keys
   join users on users.id = api_keys.user_id
   join memberships
     on memberships.organization_id = api_keys.organization_id and memberships.user_id = api_keys.user_id
   join organizations on organizations.id = api_keys.organization_id
   join credit_accounts on credit_accounts.organization_id = api_keys.organization_id
   where api_keys.organization_id = $1 and api_keys.environment = $2 and api_keys.id = $3`,
);

/** Reads a key of the tenant with its user, its organization and the balance. */
export const showKey = async (
  database: Queryable,
  tenant: Tenant,
  keyId: string,
): Promise<ShownKey | undefined> => {
  const [found] = await database.query(selectShown, [tenant.organizationId, tenant.environment, keyId]);
  return found;
};

/** The key that {@link markRevoked} found. */
export interface RevokedKey {
  name: string;
  environment: Environment;
  /** Whether it had been revoked earlier. */
  wasRevoked: boolean;
}

const updateRevoked = statement<{ was_revoked: boolean; name: string; environment: Environment }>(
  'api-key-revoke',
  `update api_keys
   set revoked_at = coalesce(revoked_at, $4)
   where organization_id = $1 and id = $2 and (environment = $3 or $3::text is null)
   returning old.revoked_at is not null as was_revoked, name, environment`,
);

/** Revokes a key, of either environment when none is given; undefined when the organization has no such key. */
export const markRevoked = async (
  tx: Transaction,
  organizationId: string,
  key: { id: string; environment: Environment | undefined },
  at: Date,
): Promise<RevokedKey | undefined> => {
  const [row] = await tx.query(updateRevoked, [organizationId, key.id, key.environment ?? null, at]);
  return row && { name: row.name, environment: row.environment, wasRevoked: row.was_revoked };
};

const updateUses = statement<{ id: string }>(
  'api-key-record-uses',
  `with used as (
     select *
     from unnest($1::uuid[], $2::timestamptz[]) as given (id, at)
   ), recorded as (
     update api_keys
     set last_used_at = used.at
     from used
     where api_keys.id = used.id and (api_keys.last_used_at is null or api_keys.last_used_at < used.at)
     returning api_keys.user_id, used.at
   ), latest as (
     select user_id, max(at) as at
     from recorded
     group by user_id
   )
   update users
   set last_active_at = latest.at
   from latest
   where users.id = latest.user_id and (users.last_active_at is null or users.last_active_at < latest.at)`,
);

/** Writes when keys were used, and that their users were active then. */
export const recordKeyUses = async (database: Database, uses: LastUses): Promise<void> => {
  // In a transaction, because two replicas that write the same keys can deadlock, and a transaction is retried.
  await database.transaction(async (tx) => {
    await tx.query(updateUses, [[...uses.keys()], [...uses.values()]]);
  });
};
