import { idempotencyKeyDigest } from '@stanza/contracts';
import { type Queryable, statement, type Tenant } from '@stanza/runtime';

/** The stored form of an idempotency key. */
export const digestFor = ({ organizationId, environment }: Tenant, key: string): string =>
  idempotencyKeyDigest({ organization_id: organizationId, environment }, key);

const find = statement<{ operation_id: string }>(
  'operations-of-key',
  `select operation_id
   from messages
   where organization_id = $1
     and environment = $2
     and key_digest = $3
     and item = 0`,
);

/** The operations that were asked for with an idempotency key: one for each time that the key was free. */
const operationsOfKey = async (tenant: Tenant, db: Queryable, key: string): Promise<string[]> => {
  const rows = await db.query(find, [tenant.organizationId, tenant.environment, digestFor(tenant, key)]);
  return rows.map((row) => row.operation_id);
};

const made = statement<{ id: string }>(
  'messages-of-operations',
  `select distinct coalesce(revises, id) as id
   from messages
   where organization_id = $1
     and environment = $2
     and operation_id = any ($3::uuid[])`,
);

/** The messages that were sent or changed with an idempotency key. */
export const messagesOfKey = async (tenant: Tenant, db: Queryable, key: string): Promise<string[]> => {
  const operations = await operationsOfKey(tenant, db, key);
  if (operations.length === 0) return [];
  const rows = await db.query(made, [tenant.organizationId, tenant.environment, operations]);
  return rows.map(({ id }) => id);
};
