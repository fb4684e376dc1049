import { findConversation } from '../../world/directory.ts';
import { textArgument } from '../arguments.ts';
import { conversationReply } from '../conversation-reply.ts';
import { type Method, refuse } from '../method.ts';

/** `conversations.info`: a channel or direct message by id, also one without the bot. */
export const conversationsInfo: Method = {
  name: 'conversations.info',
  run({ args }) {
    const conversation = findConversation(textArgument(args, 'channel') ?? '');
    return conversation === undefined
      ? refuse('channel_not_found')
      : { ok: true, channel: conversationReply(conversation) };
  },
};
