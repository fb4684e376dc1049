import { type Queryable, statement, Tenant } from '@stanza/runtime';
import type { ChatInstallRow } from '../domain/rows.ts';
import type { SealedToken } from '../domain/sealed-token.ts';
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

const begin = statement<{ id: string }>(
  'install-begin',
  `insert into chat_installs
     (organization_id, environment, id, actor, state_hash, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   returning id`,
);

/** An installation at its beginning. */
export type NewInstall = Pick<ChatInstallRow, 'id' | 'actor' | 'state_hash' | 'created_at' | 'expires_at'>;

/** Writes down that an installation begins; of an environment's the newest are kept. */
export const beginInstall = async (
  tenant: Tenant,
  db: Queryable,
  install: NewInstall,
  kept: number,
): Promise<void> => {
  await db.query(keepNewest, [tenant.organizationId, tenant.environment, kept - 1]);
  await db.query(begin, [
    tenant.organizationId,
    tenant.environment,
    install.id,
    JSON.stringify(install.actor),
    install.state_hash,
    install.created_at,
    install.expires_at,
  ]);
};

const byState = statement<ChatInstallRow>(
  'install-by-state',
  `select *
   from chat_installs
   where state_hash = $1
     and status = 'begun'
     and expires_at > $2`,
);

/** Finds the installation that a browser comes back to, if it may: whoever holds the state is known by it alone. */
export const findBegun = async (
  db: Queryable,
  stateHash: Buffer,
  now: Date,
): Promise<ChatInstallRow | undefined> => {
  const [row] = await db.query(byState, [stateHash, now]);
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
       expires_at = $11
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
  expiresAt: Date;
}

/** Keeps the token of an installation until its page is answered; false when the installation is gone. */
export const holdToken = async (
  tenant: Tenant,
  db: Queryable,
  id: string,
  { identity, sealed, confirmHash, expiresAt }: HeldToken,
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
    expiresAt,
  ]);
  return rows.length > 0;
};

const byConfirm = statement<ChatInstallRow>(
  'install-by-confirm',
  `select *
   from chat_installs
   where confirm_hash = $1
     and expires_at > $2`,
);

/** Finds the installation of a page, also one whose button was pressed. */
export const findAsked = async (
  db: Queryable,
  confirmHash: Buffer,
  now: Date,
): Promise<ChatInstallRow | undefined> => {
  const [row] = await db.query(byConfirm, [confirmHash, now]);
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
   where expires_at < $1
   returning id`,
);

/** Forgets what ended or expired before a moment, tokens that nobody connected included. */
export const forgetInstalls = async (db: Queryable, before: Date): Promise<void> => {
  await db.query(forget, [before]);
};
