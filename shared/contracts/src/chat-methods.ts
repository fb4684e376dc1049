/** The methods of the chat platform that Stanza calls. */
export const chatMethods = [
  'auth.test',
  'auth.revoke',
  'oauth.v2.access',
  'chat.postMessage',
  'users.lookupByEmail',
  'users.info',
  'conversations.open',
  'conversations.history',
  'conversations.replies',
  'chat.update',
  'chat.delete',
  'chat.postEphemeral',
  'views.open',
  'conversations.list',
  'users.list',
] as const;

/** A method of the chat platform. */
export type ChatMethod = (typeof chatMethods)[number];
