import { type AuditedChange, audit, type CallContext, type Tenant, type Transaction } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { Dependencies } from '../dependencies.ts';
import { encryptAccess, readToken } from './chat-access.ts';
import type { ConnectionRow } from './connection-tables.ts';
import { askIdentity, newcomers, readIdentity, refuseEnterprise } from './identify.ts';
import { type ConnectionIdentity, findConnection, noteTaken, putConnection } from './store/connections.ts';

/** A token, its owner at the platform, and its source. */
export interface Holder {
  token: string;
  identity: ConnectionIdentity;
  source: ConnectionRow['source'];
}

/** The connecting actor, if not the caller. */
export type Connector = Pick<AuditedChange, 'actor'>;

/** Stores a connection in place of the previous one, in the caller's transaction. */
export const storeConnection = async (
  { keyring, outbox, clock }: Pick<Dependencies, 'keyring' | 'outbox' | 'clock'>,
  tenant: Tenant,
  tx: Transaction,
  { token, identity, source }: Holder,
  context: CallContext,
  connector: Connector = {},
): Promise<ConnectionRow> => {
  const id = uuidv7();
  const { ciphertext, keyId } = encryptAccess(tenant, id, token, keyring);
  const at = clock.now();
  const { workspace_id, workspace_name } = identity;
  await audit(tx, outbox, context, {
    action: 'chat_connection.put',
    subject: { kind: 'chat_connection', id },
    changes: { workspace_id, workspace_name, source },
    owner: { organization_id: tenant.organizationId, environment: tenant.environment },
    at,
    ...connector,
  });
  return putConnection(tenant, tx, {
    ...identity,
    id,
    source,
    token_ciphertext: ciphertext,
    token_key_id: keyId,
    created_at: at,
  });
};

/** True when the connection has this very token, encrypted with the newest key. */
const holds = (
  tenant: Tenant,
  row: ConnectionRow,
  token: string,
  { keyring }: Pick<Dependencies, 'keyring'>,
): boolean => row.token_key_id === keyring.current.id && readToken(tenant, row, keyring) === token;

/**
 * Connects an environment with a token, in place of the previous connection; an equal one stays unchanged.
 * @throws CodedError when the platform refuses the token or is unavailable; nothing has changed then
 */
export const connectWithToken = async (
  dependencies: Dependencies,
  tenant: Tenant,
  token: string,
  context: CallContext,
): Promise<ConnectionRow> => {
  const outcome = await askIdentity(dependencies, token, newcomers, context);
  refuseEnterprise(outcome);
  const identity = readIdentity(outcome);
  return dependencies.database.transaction(async (tx) => {
    const current = await findConnection(tenant, tx);
    if (current && holds(tenant, current, token, dependencies)) {
      const same = await noteTaken(tenant, tx, current.id, identity, dependencies.clock.now());
      if (same) return same;
    }
    return storeConnection(dependencies, tenant, tx, { token, identity, source: 'token' }, context);
  });
};
