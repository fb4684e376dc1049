import { CodedError, connectionRevoked } from '@stanza/contracts';
import {
  type Clock,
  type Database,
  type Keyring,
  type Logger,
  newId,
  Tenant,
  withinOrganizations,
} from '@stanza/runtime';
import type { DeadToken } from '../chat/guarded.ts';
import { recordOccurrence } from '../events/store/events.ts';
import type { CountEvents } from '../events/store/recording.ts';
import { type KnownConnections, readToken } from './chat-access.ts';
import type { ConnectionRow } from './connection-tables.ts';
import { listWorkspaceConnections, noteRefused } from './store/connections.ts';

/** The dependencies of recording refused tokens. */
export interface NoticeDependencies {
  database: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
  /** Connections in the cache of this process. */
  connections: Pick<KnownConnections, 'forget'>;
  countEvents: CountEvents;
}

/**
 * Records that the platform refuses the token of a connection, with its event.
 * @returns false when that was known
 */
const noteOne = (
  { database, clock, countEvents }: NoticeDependencies,
  tenant: Tenant,
  { id, workspace_id, workspace_name }: ConnectionRow,
  refusal: string,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const at = clock.now();
    if (!(await noteRefused(tenant, tx, id, refusal, at))) return false;
    const types = await recordOccurrence(tenant, tx, {
      id: newId(),
      type: connectionRevoked.type,
      subject: id,
      data: { connection_id: id, workspace_id, workspace_name, refusal },
      at,
    });
    tx.afterCommit(() => countEvents(types));
    return true;
  });

/** The platform gives an app one token for a workspace, so every connection with this token is affected. */
const noteAll = async (
  dependencies: NoticeDependencies,
  { token, workspaceId, refusal }: DeadToken,
): Promise<void> => {
  const { database, keyring, log, connections } = dependencies;
  for (const row of await listWorkspaceConnections(database, workspaceId)) {
    const tenant = new Tenant(row.organization_id, row.environment);
    if (readToken(tenant, row, keyring) !== token) continue;
    const note = () => noteOne(dependencies, tenant, row, refusal);
    // The call that met the refusal reaches its own organization only.
    if (!(await withinOrganizations([tenant.organizationId], note))) continue;
    connections.forget(tenant);
    const { organization_id, environment } = row;
    log.warn(
      { organization_id, environment, refusal },
      'the chat platform refuses the token of a connection',
    );
  }
};

/**
 * Makes the function that records a permanently refused token, so that its connections show it and are not used further.
 * It does not reject for an unavailable database: the next call meets the same refusal.
 */
export const recordDeadTokens =
  (dependencies: NoticeDependencies) =>
  async (dead: DeadToken): Promise<void> => {
    try {
      await noteAll(dependencies, dead);
    } catch (err) {
      if (!(err instanceof CodedError)) throw err;
      const { workspaceId: workspace_id } = dead;
      dependencies.log.warn({ err, workspace_id }, 'a refused token could not be recorded');
    }
  };
