import { acrossOrganizations, findRow, type Queryable, statement, type Tenant } from '@stanza/runtime';
import { columnsOf, tenantRead } from '@stanza/runtime/table';
import { type ConnectionRow, chatConnections } from '../connection-tables.ts';

const find = statement<ConnectionRow>('connection-find', tenantRead(chatConnections));

/** Reads the chat connection of an environment. */
export const findConnection = (tenant: Tenant, db: Queryable): Promise<ConnectionRow | undefined> =>
  findRow(db, find, [tenant.organizationId, tenant.environment]);

const put = statement<ConnectionRow>(
  'connection-put',
  `insert into chat_connections as connection
     (organization_id, environment, id, workspace_id, workspace_name, bot_user_id, source,
      token_ciphertext, token_key_id, scopes, last_checked_at, created_at, updated_at, workspace_url)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $11, $12)
   on conflict (organization_id, environment) do update
   set id = excluded.id,
       workspace_id = excluded.workspace_id,
       workspace_name = excluded.workspace_name,
       workspace_url = excluded.workspace_url,
       bot_user_id = excluded.bot_user_id,
       source = excluded.source,
       token_ciphertext = excluded.token_ciphertext,
       token_key_id = excluded.token_key_id,
       scopes = excluded.scopes,
       last_checked_at = excluded.last_checked_at,
       revoked_at = null,
       refusal = null,
       created_at = excluded.created_at,
       updated_at = excluded.updated_at
   returning ${columnsOf(chatConnections, 'connection')}`,
);

/** The platform's facts about the owner of a token. */
export type ConnectionIdentity = Pick<
  ConnectionRow,
  'workspace_id' | 'workspace_name' | 'workspace_url' | 'bot_user_id' | 'scopes'
>;

/** A connection to be stored. */
export type NewConnection = ConnectionIdentity &
  Pick<ConnectionRow, 'id' | 'source' | 'token_ciphertext' | 'token_key_id' | 'created_at'>;

const jsonOf = (scopes: string[] | null): string | null => (scopes === null ? null : JSON.stringify(scopes));

const only = (rows: ConnectionRow[]): ConnectionRow => {
  const [row] = rows;
  if (!row) throw new TypeError('the connection was not stored');
  return row;
};

/** Stores the chat connection of an environment in place of the previous one. */
export const putConnection = async (
  tenant: Tenant,
  db: Queryable,
  row: NewConnection,
): Promise<ConnectionRow> =>
  only(
    await db.query(put, [
      tenant.organizationId,
      tenant.environment,
      row.id,
      row.workspace_id,
      row.workspace_name,
      row.bot_user_id,
      row.source,
      row.token_ciphertext,
      row.token_key_id,
      jsonOf(row.scopes),
      row.created_at,
      row.workspace_url,
    ]),
  );

const checked = statement<ConnectionRow>(
  'connection-checked',
  `update chat_connections
   set workspace_name = $4,
       workspace_url = coalesce($7, workspace_url),
       scopes = $5,
       last_checked_at = $6,
       revoked_at = null,
       refusal = null
   where organization_id = $1
     and environment = $2
     and id = $3
   returning ${columnsOf(chatConnections)}`,
);

/**
 * Records that the platform accepted the token; undefined when the connection was replaced or deleted in the meantime.
 */
export const noteTaken = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  { workspace_name, workspace_url, scopes }: ConnectionIdentity,
  at: Date,
): Promise<ConnectionRow | undefined> => {
  const owner = [tenant.organizationId, tenant.environment, id];
  const [row] = await db.query(checked, [...owner, workspace_name, jsonOf(scopes), at, workspace_url]);
  return row;
};

const ofWorkspace = statement<ConnectionRow>(
  'connections-of-workspace',
  `select ${columnsOf(chatConnections)}
   from chat_connections
   where workspace_id = $1
   limit 1000`,
);

/** The connections of a workspace, of all organizations; no answer shows them together. */
export const listWorkspaceConnections = (db: Queryable, workspaceId: string): Promise<ConnectionRow[]> =>
  acrossOrganizations(() => db.query(ofWorkspace, [workspaceId]));

const refused = statement<{ is_new: boolean }>(
  'connection-refused',
  `update chat_connections
   set last_checked_at = $5,
       revoked_at = coalesce(revoked_at, $5),
       refusal = $4
   where organization_id = $1
     and environment = $2
     and id = $3
   returning old.revoked_at is null as is_new`,
);

/**
 * Records that the platform permanently refused the token.
 * @returns false when that was known, or the connection was replaced or deleted in the meantime
 */
export const noteRefused = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  refusal: string,
  at: Date,
): Promise<boolean> => {
  const [row] = await db.query(refused, [tenant.organizationId, tenant.environment, id, refusal, at]);
  return row?.is_new === true;
};

const remove = statement<ConnectionRow>(
  'connection-delete',
  `delete from chat_connections
   where organization_id = $1
     and environment = $2
   returning ${columnsOf(chatConnections)}`,
);

/** Deletes the chat connection of an environment, and returns it. */
export const deleteConnection = (tenant: Tenant, db: Queryable): Promise<ConnectionRow | undefined> =>
  findRow(db, remove, [tenant.organizationId, tenant.environment]);

const sharing = statement<{ id: string }>(
  'connection-sharing-workspace',
  `select id
   from chat_connections
   where workspace_id = $1
   union all
   select id
   from chat_installs
   where workspace_id = $1
     and status = 'waiting'
     and expires_at > clock_timestamp()
   limit 1`,
);

/** True when any connection, of any organization, uses a workspace, or an installation may make one with its token. */
export const isWorkspaceUsed = async (db: Queryable, workspaceId: string): Promise<boolean> => {
  const found = await acrossOrganizations(() => db.query(sharing, [workspaceId]));
  return found.length > 0;
};
