import type { ChatMethod } from '@stanza/contracts';

/**
 * The chat platform's methods, each with its group. A breaker guards a group of a workspace, so that failures of one
 * kind of call do not affect the others.
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

/** Groups of methods that share a breaker. */
export type MethodGroup = (typeof methodGroups)[ChatMethod];
