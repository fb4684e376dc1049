import { deletedAtOnce, inBatches, type Queryable, statement, Tenant } from '@stanza/runtime';
import type { ChatInstallRow } from '../../store/rows.ts';
import type { SealedToken } from '../sealed-token.ts';
import type { ConnectionIdentity } from './connections.ts';

/** Whose installation it is. */
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

/** An installation at its beginning. */
export type NewInstall = Pick<ChatInstallRow, 'id' | 'actor' | 'state_hash'> & {
  /** Milliseconds for which it may go on. */
  openMs: number;
};

/**
 * Writes down that an installation begins; of an environment's the newest are kept.
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
  if (!begun) throw new Error('an insert that answers no row');
  return begun.expires_at;
};

const byState = statement<ChatInstallRow>(
  'install-by-state',
  `select *
   from chat_installs
   where state_hash = $1
     and status = 'begun'
     and expires_at > clock_timestamp()`,
);

/** Finds the installation that a browser comes back to, if it may: whoever holds the state is known by it alone. */
export const findBegun = async (db: Queryable, stateHash: Buffer): Promise<ChatInstallRow | undefined> => {
  const [row] = await db.query(byState, [stateHash]);
  return row;
};

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

/** Uses up the state of an installation; false when another was quicker. */
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

/** What an installation holds while its page waits for the button. */
export interface HeldToken {
  identity: ConnectionIdentity;
  sealed: SealedToken;
  confirmHash: Buffer;
  /** Milliseconds for which it may be connected. */
  openMs: number;
}

/** Keeps the token of an installation until its page is answered; false when the installation is gone. */
export const holdToken = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  { identity, sealed, confirmHash, openMs }: HeldToken,
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
    sealed.ciphertext,
    sealed.keyId,
    openMs,
  ]);
  return rows.length > 0;
};

const byConfirm = statement<ChatInstallRow>(
  'install-by-confirm',
  `select *
   from chat_installs
   where confirm_hash = $1
     and expires_at > clock_timestamp()`,
);

/** Finds the installation of a page, also one whose button was pressed. */
export const findAsked = async (db: Queryable, confirmHash: Buffer): Promise<ChatInstallRow | undefined> => {
  const [row] = await db.query(byConfirm, [confirmHash]);
  return row;
};

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

/** Ends an installation that is being connected in the same transaction; false when it was before. */
export const endInstall = async (tenant: Tenant, db: Queryable, id: string): Promise<boolean> =>
  (await db.query(end, [tenant.organizationId, tenant.environment, id])).length > 0;

const forget = statement<{ id: string }>(
  'installs-forget',
  `delete from chat_installs
   where ctid = any (array(
     select ctid
     from chat_installs
     where expires_at < (select clock_timestamp())
     limit ${deletedAtOnce}
     for update skip locked
   ))
   returning id`,
);

/** Deletes installations that have expired, with tokens that were never connected. */
export const forgetInstalls = async (db: Queryable): Promise<void> => {
  await inBatches(() => db.query(forget));
};
