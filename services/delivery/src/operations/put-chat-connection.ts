import * as contracts from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import { connectWithToken } from '../connections/connect.ts';
import type { Dependencies } from '../dependencies.ts';

/** Connects an environment to the workspace of a bot token, for operators. */
export const putChatConnection = (dependencies: Dependencies) =>
  handle(contracts.putChatConnection, async ({ input, context }) => {
    const tenant = new Tenant(input.organization_id, input.environment);
    const row = await connectWithToken(dependencies, tenant, input.bot_token, context);
    const { workspace_id, workspace_name, bot_user_id } = row;
    return { workspace_id, workspace_name, bot_user_id };
  });
