import { type Conversation, findConversation, findUser } from '../../world/directory.ts';
import { type Arguments, flagArgument, textArgument } from '../arguments.ts';
import { conversationReply } from '../conversation-reply.ts';
import { type Method, type Refusal, refuse, type Success } from '../method.ts';

/** Maximum number of people in a direct message. */
const USERS_MAX = 8;

function opened(conversation: Conversation, args: Arguments): Success {
  const channel = flagArgument(args, 'return_im') ? conversationReply(conversation) : { id: conversation.id };
  return { ok: true, channel };
}

function reopen(id: string, args: Arguments): Success | Refusal {
  const conversation = findConversation(id);
  return conversation?.user === undefined ? refuse('channel_not_found') : opened(conversation, args);
}

/** `conversations.open`: the direct message with one person, the same at each call. Groups are not simulated. */
export const conversationsOpen: Method = {
  name: 'conversations.open',
  run({ args }) {
    const channel = textArgument(args, 'channel');
    if (channel !== undefined) return reopen(channel, args);
    const ids = (textArgument(args, 'users') ?? '').split(',').map((id) => id.trim());
    const [first = ''] = ids;
    if (first === '') return refuse('users_list_not_supplied');
    if (ids.length > USERS_MAX) return refuse('too_many_users');
    if (!ids.every((id) => findUser(id) !== undefined)) return refuse('user_not_found');
    if (ids.length > 1) return refuse('invalid_user_combination');
    const conversation = findConversation(first);
    return conversation === undefined ? refuse('user_not_found') : opened(conversation, args);
  },
};
