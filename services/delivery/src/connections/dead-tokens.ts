import { CodedError } from '@stanza/contracts';
import { type Clock, type Database, type Logger, Tenant } from '@stanza/runtime';
import { readToken } from '../chat/access.ts';
import { isDeadToken } from '../chat/errors.ts';
import type { GuardedChat } from '../chat/guarded.ts';
import type { Keyring } from './encryption-keys.ts';
import { listWorkspaceConnections, noteRefused } from './store/connections.ts';

/** What noticing needs. */
export interface NoticeDependencies {
  database: Database;
  keyring: Keyring;
  clock: Clock;
  log: Logger;
}

/** A token that the platform refused for good. */
interface DeadToken {
  token: string;
  workspaceId: string;
  refusal: string;
}

/** The platform gives an app one token for a workspace, so that it is dead to everybody who holds it. */
const noteAll = async (
  { database, keyring, clock, log }: NoticeDependencies,
  { token, workspaceId, refusal }: DeadToken,
): Promise<void> => {
  for (const row of await listWorkspaceConnections(database, workspaceId)) {
    const tenant = new Tenant(row.organization_id, row.environment);
    if (readToken(tenant, row, keyring) !== token) continue;
    if (!(await noteRefused(tenant, database, row.id, refusal, clock.now()))) continue;
    const { organization_id, environment } = row;
    log.warn(
      { organization_id, environment, refusal },
      'the chat platform refuses the token of a connection',
    );
  }
};

/**
 * Notices, on whichever call meets it first, that the platform refuses a token for good, so that its connections show
 * it and nothing more is tried with it. The call itself ends as it would.
 */
export const noticeDeadTokens = (chat: GuardedChat, dependencies: NoticeDependencies): GuardedChat => ({
  call: async (call) => {
    const reply = await chat.call(call);
    const { outcome } = reply;
    const { token, workspaceId } = call;
    if (outcome.kind !== 'refused' || !isDeadToken(outcome.error) || token === undefined) return reply;
    try {
      await noteAll(dependencies, { token, workspaceId, refusal: outcome.error });
    } catch (err) {
      // The next call meets the same refusal.
      if (!(err instanceof CodedError)) throw err;
      dependencies.log.warn({ err, workspace_id: workspaceId }, 'a refused token could not be noted');
    }
    return reply;
  },
  breakers: (workspaceId) => chat.breakers(workspaceId),
  close: () => chat.close(),
});
