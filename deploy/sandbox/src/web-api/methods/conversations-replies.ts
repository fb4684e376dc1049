import type { Message } from '../../world/message.ts';
import { flagArgument, textArgument } from '../arguments.ts';
import { accessConversation } from '../conversation-access.ts';
import { messageReply } from '../message-reply.ts';
import { type Method, refuse } from '../method.ts';

/** `conversations.replies`: a message and the replies in its thread, oldest first and all in one page. */
export const conversationsReplies: Method = {
  name: 'conversations.replies',
  run({ args, caller }, { messages }) {
    const access = accessConversation(args);
    if (!access.ok) return access.refusal;
    const ts = textArgument(args, 'ts');
    const inThread = (message: Message) =>
      message.channel === access.conversation.id &&
      message.workspace === caller.workspace &&
      (message.ts === ts || message.threadTs === ts);
    const thread = Array.from(messages.newestFirst()).filter(inThread).reverse();
    if (thread.length === 0) return refuse('thread_not_found');
    const withMetadata = flagArgument(args, 'include_all_metadata');
    return {
      ok: true,
      has_more: false,
      messages: thread.map((message) => messageReply(message, withMetadata)),
    };
  },
};
