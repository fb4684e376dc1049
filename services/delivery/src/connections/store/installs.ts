import { deletion, type EncryptedToken, findRow, type Queryable, statement, Tenant } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type ChatInstallRow, chatInstalls } from '../connection-tables.ts';
import type { ConnectionIdentity } from './connections.ts';

/** The tenant of an installation. */
export const tenantOfInstall = ({ organization_id, environment }: ChatInstallRow): Tenant =>
  new Tenant(organization_id, environment);

const keepNewest = statement<{ id: string }>(
  'install-keep-newest',
  `delete from chat_installs
   where organization_id = $1
     and environment = $2
     and id not in (
       select id
       from chat_installs
       where organization_id = $1
         and environment = $2
       order by id desc
       limit $3
     )
   returning id`,
);

const begin = statement<Pick<ChatInstallRow, 'expires_at'>>(
  'install-begin',
  `insert into chat_installs
     (organization_id, environment, id, actor, state_hash, created_at, expires_at)
   select $1, $2, $3, $4, $5, at, at + $6::float8 * interval '1 millisecond'
   from date_trunc('milliseconds', clock_timestamp()) as at
   returning expires_at`,
);

/** A new installation. */
export type NewInstall = Pick<ChatInstallRow, 'id' | 'actor' | 'state_hash'> & {
  /** Milliseconds until it expires. */
  openMs: number;
};

/**
 * Stores a new installation; of an environment's only the newest are kept.
 * @returns when it expires, by the database's clock
 */
export const beginInstall = async (
  tenant: Tenant,
  db: Queryable,
  install: NewInstall,
  kept: number,
): Promise<Date> => {
  await db.query(keepNewest, [tenant.organizationId, tenant.environment, kept - 1]);
  const [begun] = await db.query(begin, [
    tenant.organizationId,
    tenant.environment,
    install.id,
    JSON.stringify(install.actor),
    install.state_hash,
    install.openMs,
  ]);
  if (!begun) throw new Error('an insert returned no row');
  return begun.expires_at;
};

const byState = statement<ChatInstallRow>(
  'install-by-state',
  `select ${columnsOf(chatInstalls)}
   from chat_installs
   where state_hash = $1
     and status = 'begun'
     and expires_at > clock_timestamp()`,
);

/** Finds the valid installation of a returning browser, identified by the state only. */
export const findBegun = (db: Queryable, stateHash: Buffer): Promise<ChatInstallRow | undefined> =>
  findRow(db, byState, [stateHash]);

const spend = statement<{ id: string }>(
  'install-spend',
  `update chat_installs
   set status = 'spent'
   where organization_id = $1
     and environment = $2
     and id = $3
     and status = 'begun'
   returning id`,
);

/** Consumes the state of an installation; false when a concurrent request has done so. */
export const spendState = async (tenant: Tenant, db: Queryable, id: string): Promise<boolean> =>
  (await db.query(spend, [tenant.organizationId, tenant.environment, id])).length > 0;

const hold = statement<{ id: string }>(
  'install-hold-token',
  `update chat_installs
   set status = 'waiting',
       confirm_hash = $4,
       workspace_id = $5,
       workspace_name = $6,
       bot_user_id = $7,
       scopes = $8,
       token_ciphertext = $9,
       token_key_id = $10,
       expires_at = clock_timestamp() + $11::float8 * interval '1 millisecond'
   where organization_id = $1
     and environment = $2
     and id = $3
     and status = 'spent'
   returning id`,
);

/** The data of an installation whose page waits for the button. */
export interface HeldToken {
  identity: ConnectionIdentity;
  encrypted: EncryptedToken;
  confirmHash: Buffer;
  /** Milliseconds for which it may be connected. */
  openMs: number;
}

/** Stores the token of an installation until its page is answered; false when the installation no longer exists. */
export const holdToken = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  { identity, encrypted, confirmHash, openMs }: HeldToken,
): Promise<boolean> => {
  const rows = await db.query(hold, [
    tenant.organizationId,
    tenant.environment,
    id,
    confirmHash,
    identity.workspace_id,
    identity.workspace_name,
    identity.bot_user_id,
    identity.scopes === null ? null : JSON.stringify(identity.scopes),
    encrypted.ciphertext,
    encrypted.keyId,
    openMs,
  ]);
  return rows.length > 0;
};

const byConfirm = statement<ChatInstallRow>(
  'install-by-confirm',
  `select ${columnsOf(chatInstalls)}
   from chat_installs
   where confirm_hash = $1
     and expires_at > clock_timestamp()`,
);

/** Finds the installation of a page, including one whose button was pressed. */
export const findAsked = (db: Queryable, confirmHash: Buffer): Promise<ChatInstallRow | undefined> =>
  findRow(db, byConfirm, [confirmHash]);

const end = statement<{ id: string }>(
  'install-connected',
  `update chat_installs
   set status = 'connected',
       token_ciphertext = null,
       token_key_id = null
   where organization_id = $1
     and environment = $2
     and id = $3
     and status = 'waiting'
   returning id`,
);

/** Ends an installation that is connected in the same transaction; false when it had ended before. */
export const endInstall = async (tenant: Tenant, db: Queryable, id: string): Promise<boolean> =>
  (await db.query(end, [tenant.organizationId, tenant.environment, id])).length > 0;

const forget = deletion('installs-forget', {
  from: 'chat_installs',
  where: 'expires_at < (select clock_timestamp())',
});

/** Deletes expired installations, with tokens that were never connected. */
export const forgetInstalls = async (db: Queryable): Promise<void> => {
  await forget(db);
};
