import * as contracts from '@stanza/contracts';
import { audit, type CallContext, handle, type Tenant } from '@stanza/runtime';
import { readToken } from '../connections/chat-access.ts';
import type { ConnectionRow } from '../connections/connection-tables.ts';
import { deleteConnection, isWorkspaceUsed } from '../connections/store/connections.ts';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';

/** Timeout of revoking a token at the platform, milliseconds. */
const revokeMs = 5_000;

const erase = (dependencies: Dependencies, tenant: Tenant, context: CallContext): Promise<ConnectionRow> =>
  dependencies.database.transaction(async (tx) => {
    const row = await deleteConnection(tenant, tx);
    if (!row) throw contracts.notFound('connection');
    const { id, workspace_id, workspace_name } = row;
    await audit(tx, dependencies.outbox, context, {
      action: 'chat_connection.deleted',
      subject: { kind: 'chat_connection', id },
      changes: { workspace_id, workspace_name },
      at: dependencies.clock.now(),
    });
    return row;
  });

/**
 * Revokes an installed token at the platform. The platform gives an app one token for a workspace, so revoking affects
 * every connection that shares the workspace: while there is another one, or a page that asks for one, the token stays.
 * @returns false when the token was left in force, or could not be revoked; it is erased here in any case
 */
const revoke = async (
  { database, keyring, chat, clock, log }: Dependencies,
  tenant: Tenant,
  row: ConnectionRow,
  context: CallContext,
): Promise<boolean> => {
  const token = readToken(tenant, row, keyring);
  if (row.source !== 'install' || token === undefined) return false;
  try {
    if (await isWorkspaceUsed(database, row.workspace_id)) return false;
    const timeoutMs = Math.min(revokeMs, Deadline.forCaller(clock, context.deadline).remaining);
    const call = {
      method: 'auth.revoke',
      args: {},
      token,
      workspaceId: row.workspace_id,
      timeoutMs,
      log,
    } as const;
    return (await chat.call(call)).outcome.kind === 'ok';
  } catch (err) {
    log.warn({ err, workspace_id: row.workspace_id }, 'the token of a deleted connection was not revoked');
    return false;
  }
};

/** Disconnects the caller's environment. */
export const deleteChatConnection = (dependencies: Dependencies) =>
  handle(contracts.deleteChatConnection, async ({ tenant, context }) => {
    const row = await erase(dependencies, tenant, context);
    return { success: true as const, id: row.id, revoked: await revoke(dependencies, tenant, row, context) };
  });
