import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { connectWithToken } from '../connections/connect.ts';
import { presentConnection } from '../connections/present-connection.ts';
import type { Parts } from '../dependencies.ts';

/** Connects the caller's environment with a bot token. */
export const replaceChatConnection = (parts: Parts) =>
  handle(contracts.replaceChatConnection, async ({ tenant, context, input }) => {
    const row = await connectWithToken(parts, tenant, input.body.bot_token, context);
    return presentConnection(tenant, row, parts.keyring, parts.chat);
  });
