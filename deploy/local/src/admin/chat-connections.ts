import { text } from 'node:stream/consumers';
import { putChatConnection } from '@stanza/contracts';
import { Command } from 'commander';
import { checked, printCall } from './operator.ts';

/** `npm run admin -- chat-connections …`: workspaces that environments are connected to. */
export const chatConnections = (): Command => {
  const group = new Command('chat-connections').description('workspaces that environments are connected to');
  group
    .command('put <organization-id>')
    .description('connect an environment with the bot token on the standard input')
    .option('--environment <environment>', 'production or preview', 'production')
    .action(async (organization_id, { environment }) => {
      // Not an argument: arguments are visible to every user of the machine.
      const bot_token = (await text(process.stdin)).trim();
      const input = checked(putChatConnection.input, { organization_id, environment, bot_token });
      return printCall((rpc, context) => rpc.call(putChatConnection, input, context));
    });
  return group;
};
