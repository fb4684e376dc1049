import { z } from 'zod';
import { httpOperation, internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { chatConnection } from '../resources/chat-connection.ts';
import { id } from '../resources/values.ts';

const path = '/chat-connection';
const access = 'connections:write';
const service = 'delivery';

/** Errors while the platform is asked about a token. */
const platformErrors = ['chat_not_connected', 'chat_api_error', 'rate_limited'] as const;

/** A token as the platform hands it out; nothing else can stand in a header. */
const botToken = z
  .string()
  .max(1024)
  .regex(/^[\x21-\x7e]+$/, 'must be a token: visible ASCII characters without spaces');

/** Reads the chat connection of the caller's environment. */
export const getChatConnection = httpOperation({
  id: 'get-chat-connection',
  service,
  summary: 'Read the chat connection of your environment, and how it stands',
  method: 'GET',
  path,
  access,
  reply: chatConnection,
  errors: ['not_found'],
});

/** Connects the caller's environment with a bot token. */
export const replaceChatConnection = httpOperation({
  id: 'replace-chat-connection',
  service,
  posts: true,
  summary: 'Connect your environment to a chat workspace with a bot token, in place of the connection before',
  description:
    'The platform is asked whom the token speaks for; a token that it refuses changes nothing. The token is stored encrypted and is in no answer. The same token again changes nothing but the time of the check.',
  method: 'PUT',
  path,
  access,
  body: z.strictObject({ bot_token: botToken }),
  reply: chatConnection,
  errors: platformErrors,
  deadlineMs: 15_000,
  example: { bot_token: 'xoxb-sandbox-acme' },
});

/** Disconnects the caller's environment. */
export const deleteChatConnection = httpOperation({
  id: 'delete-chat-connection',
  service,
  summary: 'Disconnect your environment from its chat workspace',
  description:
    'The token is erased here. One that was installed through the platform is revoked there too, unless another connection of this service shares its workspace, or an installation there waits for its button; a token that you gave stays yours.',
  method: 'DELETE',
  path,
  access,
  reply: z.object({
    success: z.literal(true),
    id,
    revoked: z.boolean().describe('the platform was told to revoke the token, and has done so'),
  }),
  errors: ['not_found'],
  deadlineMs: 15_000,
});

/** Asks the platform whether the token is valid. */
export const testChatConnection = httpOperation({
  id: 'test-chat-connection',
  service,
  posts: true,
  summary: 'Ask the chat platform whether the connection works; nothing is posted',
  description:
    'Answers the connection as it stands now. A token that was noticed as revoked and works again is active from then on.',
  method: 'POST',
  path: `${path}/test`,
  access,
  reply: chatConnection,
  errors: [...platformErrors, 'chat_token_decrypt_failed'],
  deadlineMs: 15_000,
});

/** Stores the bot token of an environment's chat workspace, for operators. */
export const putChatConnection = internalOperation({
  id: 'put-chat-connection',
  service,
  summary: 'Connect an environment to a chat workspace',
  callers: ['admin'],
  input: z.object({ organization_id: id, environment: environmentSchema, bot_token: botToken }),
  reply: z.object({ workspace_id: z.string(), workspace_name: z.string(), bot_user_id: z.string() }),
  errors: platformErrors,
});
