import type { Message } from '../../world/message.ts';
import type { MessageStore } from '../../world/message-store.ts';
import { accessConversation } from '../conversation-access.ts';
import { historyPage } from '../history.ts';
import type { Method } from '../method.ts';

function* channelMessages(store: MessageStore, workspace: string, channel: string): Generator<Message> {
  for (const message of store.newestFirst()) {
    if (message.channel !== channel || message.workspace !== workspace) continue;
    if (message.threadTs === undefined || message.broadcast) yield message;
  }
}

/**
 * `conversations.history`: a conversation's messages, newest first; replies in threads belong to
 * `conversations.replies`.
 */
export const conversationsHistory: Method = {
  name: 'conversations.history',
  run({ args, caller }, { messages }) {
    const access = accessConversation(args);
    if (!access.ok) return access.refusal;
    return historyPage(channelMessages(messages, caller.workspace, access.conversation.id), args);
  },
};
