import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { presentConnection } from '../connections/present-connection.ts';
import { findConnection } from '../connections/store/connections.ts';
import type { Dependencies } from '../dependencies.ts';

/** Reads the chat connection of the caller's environment. */
export const getChatConnection = ({
  database,
  keyring,
  chat,
}: Pick<Dependencies, 'database' | 'keyring' | 'chat'>) =>
  handle(contracts.getChatConnection, async ({ tenant }) => {
    const row = await findConnection(tenant, database);
    if (!row) throw contracts.notFound('connection');
    return presentConnection(tenant, row, keyring, chat);
  });
