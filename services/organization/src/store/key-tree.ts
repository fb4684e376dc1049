import { statement, type Tenant, type Transaction } from '@stanza/runtime';

/** A key as far as it decides about the keys that it makes. */
export interface HeldKey {
  id: string;
  expires_at: Date | null;
  revoked_at: Date | null;
}

const selectHeld = statement<HeldKey>(
  'api-key-hold',
  `select id, expires_at, revoked_at
   from api_keys
   where organization_id = $1 and environment = $2 and id = $3
   for share`,
);

/** A key of the tenant, not to be revoked until the transaction ends: what it makes is there for a revocation to find. */
export const holdKey = async (tx: Transaction, tenant: Tenant, id: string): Promise<HeldKey | undefined> => {
  const [found] = await tx.query(selectHeld, [tenant.organizationId, tenant.environment, id]);
  return found;
};

const revokeTree = statement<{ id: string }>(
  'api-keys-revoke-descendants',
  `with recursive tree as (
     select id
     from api_keys
     where organization_id = $1 and parent_id = $2
     union
     select child.id
     from api_keys as child
     join tree on child.parent_id = tree.id
     where child.organization_id = $1
   )
   update api_keys
   set revoked_at = $3
   from tree
   where api_keys.organization_id = $1 and api_keys.id = tree.id and api_keys.revoked_at is null
   returning api_keys.id`,
);

/**
 * Revokes every key that a key has made, and those that these have made; answers which. The caller holds the row of the
 * key, so that it makes no more.
 */
export const revokeDescendants = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  at: Date,
): Promise<string[]> => {
  const revoked: string[] = [];
  for (;;) {
    // A descendant that made a key while the statement waited for it has it in no snapshot but the next one.
    const rows = await tx.query(revokeTree, [organizationId, id, at]);
    if (rows.length === 0) return revoked;
    revoked.push(...rows.map((row) => row.id));
  }
};
