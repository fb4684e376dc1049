import { statement, type Tenant, type Transaction } from '@stanza/runtime';

/** The fields of a key that limit the keys it creates. */
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

/**
 * A key of the tenant, protected from revocation until the transaction ends, so that a revocation finds the keys and
 * invitations it creates.
 */
export const holdKey = async (tx: Transaction, tenant: Tenant, id: string): Promise<HeldKey | undefined> => {
  const [found] = await tx.query(selectHeld, [tenant.organizationId, tenant.environment, id]);
  return found;
};

/** The keys that a key has created, directly or through others. */
const tree = `with recursive tree as (
     select id
     from api_keys
     where organization_id = $1 and parent_id = $2
     union
     select child.id
     from api_keys as child
     join tree on child.parent_id = tree.id
     where child.organization_id = $1
   )`;

const revokeTree = statement<{ id: string }>(
  'api-keys-revoke-descendants',
  `${tree}
   update api_keys
   set revoked_at = $3
   from tree
   where api_keys.organization_id = $1 and api_keys.id = tree.id and api_keys.revoked_at is null
   returning api_keys.id`,
);

/**
 * Revokes every key that a key has created, directly or through others; returns them. The caller holds the lock on the
 * key's row, so that it creates no further ones.
 */
export const revokeDescendants = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  at: Date,
): Promise<string[]> => {
  const revoked: string[] = [];
  for (;;) {
    // A key created by a descendant while the statement waited for it is visible in the next snapshot only.
    const rows = await tx.query(revokeTree, [organizationId, id, at]);
    if (rows.length === 0) return revoked;
    revoked.push(...rows.map((row) => row.id));
  }
};

const revokeInvitations = statement<{ id: string }>(
  'invitations-revoke-of-keys',
  `${tree}
   update invitations
   set status = 'revoked', revoked_at = $3
   where organization_id = $1
     and status = 'pending'
     and (api_key_id = $2 or api_key_id in (select id from tree))
   returning id`,
);

/**
 * Revokes the pending invitations that a key and its descendants have made; returns their number. The keys are revoked
 * before, so that they make no further ones.
 */
export const revokeInvitationsOfKeys = async (
  tx: Transaction,
  organizationId: string,
  id: string,
  at: Date,
): Promise<number> => (await tx.query(revokeInvitations, [organizationId, id, at])).length;
