import type { World } from '../../world/world.ts';
import { textArgument } from '../arguments.ts';
import { accessConversation } from '../conversation-access.ts';
import { type Call, type Method, type Refusal, refuse, type Success } from '../method.ts';

/** `chat.delete`: takes a message of the bot out of its channel. */
export const chatDelete: Method = {
  name: 'chat.delete',
  run({ args, caller }: Call, { messages }: World): Success | Refusal {
    const access = accessConversation(args);
    if (!access.ok) return access.refusal;
    const ts = textArgument(args, 'ts') ?? '';
    const message = messages.find(caller.workspace, access.conversation.id, ts);
    if (message === undefined) return refuse('message_not_found');
    messages.remove(message);
    return { ok: true, channel: message.channel, ts };
  },
};
