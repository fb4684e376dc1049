import { apiKeyDigest, apiKeyPrefix, newApiKey } from '@stanza/contracts';
import type { KeyHashes } from '@stanza/organization/key-hash';
import type { Pool } from 'pg';
import { v7 } from 'uuid';

/** Tables of an organization with its credits; a clone has rows of its own in them. */
const cloned = ['organizations', 'credit_accounts', 'memberships', 'api_keys'] as const;

interface Clone {
  id: string;
  key: string;
}

/** A row of the model as the clone has it: what is unique of it is the clone's own. */
const changesOf = (
  { id, key }: Clone,
  { hash, hashKeyId }: { hash: Buffer; hashKeyId: string },
): Record<(typeof cloned)[number], object> => ({
  organizations: { id, founding_name: id, name: `Clone ${id}` },
  credit_accounts: { organization_id: id },
  memberships: { organization_id: id },
  api_keys: {
    id: v7(),
    organization_id: id,
    prefix: apiKeyPrefix(key),
    hash: `\\x${hash.toString('hex')}`,
    hash_key_id: hashKeyId,
  },
});

/**
 * Makes organizations like one that has a key, as rows: with an owner, an account and a production key each.
 * @returns their keys
 */
export const cloneOrganization = async (
  database: Pool,
  hashes: KeyHashes,
  model: string,
  count: number,
): Promise<string[]> => {
  const clones = Array.from({ length: count }, () => ({ id: v7(), key: newApiKey('production') }));
  const changes = clones.map((clone) => changesOf(clone, hashes.current(apiKeyDigest(clone.key))));
  for (const table of cloned) {
    const own = table === 'organizations' ? 'id' : 'organization_id';
    await database.query(
      `insert into organization.${table}
       select (jsonb_populate_record(model, change)).*
       from organization.${table} as model, jsonb_array_elements($1::jsonb) as change
       where model.${own} = $2`,
      [JSON.stringify(changes.map((it) => it[table])), model],
    );
  }
  return clones.map((it) => it.key);
};
