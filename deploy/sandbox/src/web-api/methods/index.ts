import type { Method, OpenMethod } from '../method.ts';
import { authRevoke } from './auth-revoke.ts';
import { authTest } from './auth-test.ts';
import { chatPostMessage } from './chat-post-message.ts';
import { chatUpdate } from './chat-update.ts';
import { conversationsHistory } from './conversations-history.ts';
import { conversationsInfo } from './conversations-info.ts';
import { conversationsOpen } from './conversations-open.ts';
import { conversationsReplies } from './conversations-replies.ts';
import { oauthV2Access } from './oauth-v2-access.ts';
import { usersInfo } from './users-info.ts';
import { usersLookupByEmail } from './users-lookup-by-email.ts';
import { viewsOpen } from './views-open.ts';
import { viewsPush } from './views-push.ts';
import { viewsUpdate } from './views-update.ts';

/** Every method that needs a token, by name. */
export const methods: ReadonlyMap<string, Method> = new Map(
  [
    authRevoke,
    authTest,
    chatPostMessage,
    chatUpdate,
    conversationsHistory,
    conversationsInfo,
    conversationsOpen,
    conversationsReplies,
    usersInfo,
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
