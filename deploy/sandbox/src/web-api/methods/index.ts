import type { Method, OpenMethod } from '../method.ts';
import { authRevoke, authTest } from './auth.ts';
import { chatDelete } from './chat-delete.ts';
import { chatPostEphemeral } from './chat-post-ephemeral.ts';
import { chatPostMessage } from './chat-post-message.ts';
import { chatUpdate } from './chat-update.ts';
import {
  conversationsHistory,
  conversationsInfo,
  conversationsList,
  conversationsOpen,
  conversationsReplies,
} from './conversations.ts';
import { oauthV2Access } from './oauth-v2-access.ts';
import { usersInfo, usersList, usersLookupByEmail } from './users.ts';
import { viewsOpen, viewsPush, viewsUpdate } from './views.ts';

/** Every method that needs a token, by name. */
export const methods: ReadonlyMap<string, Method> = new Map(
  [
    authRevoke,
    authTest,
    chatDelete,
    chatPostEphemeral,
    chatPostMessage,
    chatUpdate,
    conversationsHistory,
    conversationsInfo,
    conversationsList,
    conversationsOpen,
    conversationsReplies,
    usersInfo,
    usersList,
    usersLookupByEmail,
    viewsOpen,
    viewsPush,
    viewsUpdate,
  ].map((method) => [method.name, method]),
);

/** Every method without a token, by name. */
export const openMethods: ReadonlyMap<string, OpenMethod> = new Map([[oauthV2Access.name, oauthV2Access]]);

/** The names of all methods. */
export const methodNames: readonly string[] = [...methods.keys(), ...openMethods.keys()];
