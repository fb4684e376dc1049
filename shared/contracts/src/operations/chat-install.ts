import { z } from 'zod';
import { httpOperation } from '../operation.ts';
import { personPage } from '../resources/person-page.ts';
import { timestamp } from '../resources/values.ts';

const service = 'delivery';
/** Milliseconds, a call to the platform included. */
const deadlineMs = 15_000;

/** These operations take values that only a person at the platform can obtain. */
const noGeneratedSuccess = 'It takes what a person brings back from the screen of the chat platform.';

/** A secret of ours in an address: 32 bytes in base64url. */
const secret = z.string().regex(/^[\w-]{43}$/, 'must be the value that was given');

/** Begins to connect the caller's environment through the chat platform. */
export const installChatConnection = httpOperation({
  id: 'install-chat-connection',
  service,
  summary: "Begin to connect your environment through the chat platform's own screen",
  description:
    'Returns an address to open in a browser. A person allows the app there, returns to a page of this service that names your organization, and connects it with a button. The address works once, for ten minutes, and as long as the caller has access.',
  method: 'POST',
  path: '/chat-connection/install',
  access: 'connections:write',
  reply: z.object({ url: z.url().describe('where to send the browser'), expires_at: timestamp }),
  errors: ['misconfigured'],
});

/** The callback to which the chat platform redirects the browser after the person has decided. */
export const chatOauthCallback = httpOperation({
  id: 'chat-oauth-callback',
  service,
  posts: true,
  summary: 'Come back from the screen of the chat platform, to a page that asks whether to connect',
  description:
    'Called by browsers that the platform redirects here. The workspace is connected once the button of the page is pressed. Errors are pages too for clients that accept text/html.',
  method: 'GET',
  path: '/chat/oauth/callback',
  access: 'public',
  answers: 'page',
  query: z.strictObject({
    state: secret.describe('as it stood in the address to visit'),
    code: z.string().min(1).max(1024).optional().describe('what the platform gives a token for'),
    error: z.string().min(1).max(255).optional().describe('why it gives none'),
    error_description: z.string().max(1024).optional(),
  }),
  reply: personPage,
  errors: ['invalid_state', 'access_denied', 'misconfigured', 'chat_api_error', 'rate_limited'],
  deadlineMs,
  noGeneratedSuccess,
});

/** Connects the workspace that the page of the callback has named. */
export const confirmChatConnection = httpOperation({
  id: 'confirm-chat-connection',
  service,
  summary: 'Connect the workspace that the page has named',
  description:
    'Posted by the button of the page to which the platform sent the browser. Pressed twice, it connects once.',
  method: 'POST',
  path: '/chat/oauth/confirm',
  access: 'public',
  answers: 'page',
  query: z.strictObject({ token: secret.describe('as it stood in the page') }),
  reply: personPage,
  errors: [
    'invalid_state',
    'access_denied',
    'chat_not_connected',
    'chat_token_decrypt_failed',
    'rate_limited',
  ],
  deadlineMs,
  noGeneratedSuccess,
});
