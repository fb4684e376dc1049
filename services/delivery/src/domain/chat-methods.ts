/**
 * The chat platform's methods that the service calls, each with its group. A breaker guards a group of a workspace, so
 * that trouble with one kind of call leaves the others alone.
 */
export const methodGroups = {
  'auth.test': 'account',
  'auth.revoke': 'account',
  'oauth.v2.access': 'account',
  'chat.postMessage': 'post',
  'users.lookupByEmail': 'lookup',
  'conversations.open': 'lookup',
  'conversations.history': 'history',
  'conversations.replies': 'history',
  'chat.update': 'update',
  'views.open': 'view',
} as const;

/** A method of the chat platform. */
export type ChatMethod = keyof typeof methodGroups;

/** Methods that have a breaker in common. */
export type MethodGroup = (typeof methodGroups)[ChatMethod];
