import { findUser } from '../../world/directory.ts';
import { isMessageTs } from '../../world/timestamp.ts';
import { textArgument } from '../arguments.ts';
import { accessConversation } from '../conversation-access.ts';
import { type Method, type Refusal, refuse, type Success } from '../method.ts';
import { draftMessage } from './chat-post-message.ts';

/**
 * `chat.postEphemeral`: shows a message to one person of a channel. It has no metadata, stands in no history, and is
 * neither updated nor deleted. Everybody is in every channel of the bot.
 */
export const chatPostEphemeral: Method = {
  name: 'chat.postEphemeral',
  run(call, { messages }): Success | Refusal {
    const { args } = call;
    const access = accessConversation(args);
    if (!access.ok) return access.refusal;
    if (access.conversation.isArchived) return refuse('is_archived');
    const user = findUser(textArgument(args, 'user') ?? '');
    if (user === undefined) return refuse('user_not_in_channel');
    const threadTs = textArgument(args, 'thread_ts');
    if (threadTs !== undefined && !isMessageTs(threadTs)) return refuse('invalid_thread_ts');
    const draft = draftMessage(call, access.conversation);
    if ('ok' in draft) return draft;
    const { ts } = messages.accept({ ...draft, metadata: null, broadcast: false, visibleTo: user.id });
    return { ok: true, message_ts: ts };
  },
};
