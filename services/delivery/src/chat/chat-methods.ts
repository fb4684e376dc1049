import type { ChatMethod } from '@stanza/contracts';

/**
 * The chat platform's methods, each with its group. A breaker guards a group of a workspace, so
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
} as const satisfies Record<ChatMethod, string>;

/** Methods that have a breaker in common. */
export type MethodGroup = (typeof methodGroups)[ChatMethod];
