import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { connectWithToken } from '../connections/connect.ts';
import { presentConnection } from '../connections/present-connection.ts';
import type { Dependencies } from '../dependencies.ts';

/** Connects the caller's environment with a bot token. */
export const replaceChatConnection = (dependencies: Dependencies) =>
  handle(contracts.replaceChatConnection, async ({ tenant, context, input }) => {
    const row = await connectWithToken(dependencies, tenant, input.body.bot_token, context);
    return presentConnection(tenant, row, dependencies.keyring, dependencies.chat);
  });
