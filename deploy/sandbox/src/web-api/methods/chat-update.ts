import type { World } from '../../world/world.ts';
import { structuredArgument, textArgument } from '../arguments.ts';
import { accessConversation } from '../conversation-access.ts';
import { messageReply } from '../message-reply.ts';
import { type Call, type Method, type Refusal, refuse, type Success } from '../method.ts';
import { readBlocks, readMessageMetadata } from '../post-content.ts';

/** `chat.update`: changes a message; omitted fields stay unchanged. */
export const chatUpdate: Method = {
  name: 'chat.update',
  run({ args, caller }: Call, { messages }: World): Success | Refusal {
    const access = accessConversation(args);
    if (!access.ok) return access.refusal;
    const ts = textArgument(args, 'ts') ?? '';
    const before = messages.find(caller.workspace, access.conversation.id, ts);
    if (before === undefined) return refuse('message_not_found');
    const blocks = readBlocks(args);
    if (!blocks.ok) return blocks.refusal;
    const metadata = readMessageMetadata(args);
    if (!metadata.ok) return metadata.refusal;
    const text = textArgument(args, 'text');
    const given = (name: string) => structuredArgument(args, name).state !== 'absent';
    if (text === undefined && !given('blocks')) return refuse('no_text');
    const after = messages.update(before, {
      ...(text === undefined ? {} : { text }),
      ...(given('blocks') ? { blocks: blocks.value } : {}),
      ...(given('metadata') ? { metadata: metadata.value } : {}),
    });
    return { ok: true, channel: after.channel, ts, text: after.text, message: messageReply(after, true) };
  },
};
