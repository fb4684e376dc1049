import { allConversations, type Conversation, findConversation, findUser } from '../../world/directory.ts';
import type { Message } from '../../world/message.ts';
import type { MessageStore } from '../../world/message-store.ts';
import { type Arguments, flagArgument, textArgument } from '../arguments.ts';
import { accessConversation } from '../conversation-access.ts';
import { conversationReply } from '../conversation-reply.ts';
import { historyPage } from '../history.ts';
import { listPage } from '../list-page.ts';
import { messageReply } from '../message-reply.ts';
import { type Method, type Refusal, refuse, type Success } from '../method.ts';

function* channelMessages(store: MessageStore, workspace: string, channel: string): Generator<Message> {
  for (const message of store.newestFirst()) {
    if (message.channel !== channel || message.workspace !== workspace) continue;
    if (message.visibleTo !== undefined) continue;
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

/** `conversations.list`: the public channels, page by page. Direct messages are never listed; `types` is ignored. */
export const conversationsList: Method = {
  name: 'conversations.list',
  run({ args }) {
    const withoutArchived = flagArgument(args, 'exclude_archived');
    const channels = [...allConversations()].filter(
      ({ user, isArchived }) => user === undefined && !(withoutArchived && isArchived),
    );
    return listPage('channels', channels.map(conversationReply), args);
  },
};

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
      message.visibleTo === undefined &&
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
