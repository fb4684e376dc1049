import { type Queryable, statement, type Tenant } from '@stanza/runtime';
import type { ConnectionRow } from '../domain/rows.ts';

const find = statement<ConnectionRow>(
  'connection-find',
  `select *
   from chat_connections
   where organization_id = $1
     and environment = $2`,
);

/** Reads the chat connection of an environment. */
export const findConnection = async (tenant: Tenant, db: Queryable): Promise<ConnectionRow | undefined> => {
  const [row] = await db.query(find, [tenant.organizationId, tenant.environment]);
  return row;
};

const put = statement<Pick<ConnectionRow, 'id'>>(
  'connection-put',
  `insert into chat_connections as connection
     (organization_id, environment, id, workspace_id, workspace_name, bot_user_id,
      token_ciphertext, token_key_id, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
   on conflict (organization_id, environment) do update
   set id = excluded.id,
       workspace_id = excluded.workspace_id,
       workspace_name = excluded.workspace_name,
       bot_user_id = excluded.bot_user_id,
       token_ciphertext = excluded.token_ciphertext,
       token_key_id = excluded.token_key_id,
       updated_at = excluded.updated_at
   returning connection.id`,
);

/** A connection about to be stored. */
export type NewConnection = Omit<ConnectionRow, 'organization_id' | 'environment' | 'updated_at'>;

/** Stores the chat connection of an environment in place of the one before. */
export const putConnection = async (tenant: Tenant, db: Queryable, row: NewConnection): Promise<void> => {
  await db.query(put, [
    tenant.organizationId,
    tenant.environment,
    row.id,
    row.workspace_id,
    row.workspace_name,
    row.bot_user_id,
    row.token_ciphertext,
    row.token_key_id,
    row.created_at,
  ]);
};
