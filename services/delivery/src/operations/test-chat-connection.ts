import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { decryptAccess } from '../connections/chat-access.ts';
import { askIdentity, readIdentity } from '../connections/identify.ts';
import { presentConnection } from '../connections/present-connection.ts';
import { findConnection, noteTaken } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';

/** Asks the platform for the state of the environment's token, including a refused one. */
export const testChatConnection = (dependencies: Dependencies) =>
  handle(contracts.testChatConnection, async ({ tenant, context }) => {
    const { database, keyring, clock, chat } = dependencies;
    const access = decryptAccess(tenant, await findConnection(tenant, database), keyring);
    const identity = readIdentity(await askIdentity(dependencies, access.token, access.workspaceId, context));
    const row = await noteTaken(tenant, database, access.connectionId, identity, clock.now());
    if (row) return presentConnection(tenant, row, keyring, chat);
    const message = 'The connection was replaced or deleted while it was tested.';
    throw new contracts.CodedError('chat_not_connected', { message });
  });
