import type { Conversation } from '../../world/directory.ts';
import type { Draft } from '../../world/message.ts';
import { isMessageTs } from '../../world/timestamp.ts';
import { type Arguments, flagArgument, textArgument } from '../arguments.ts';
import { accessConversation } from '../conversation-access.ts';
import { messageReply } from '../message-reply.ts';
import { type Call, type Method, type Refusal, refuse, type Success } from '../method.ts';
import { readAttachments, readBlocks, readMarkdownText, readMessageMetadata } from '../post-content.ts';

/** The platform cuts a longer text and posts the rest. */
const TEXT_MAX = 40_000;

/** The appearance of the message and its thread. */
function presentation(args: Arguments): Partial<Draft> {
  const threadTs = textArgument(args, 'thread_ts');
  const username = textArgument(args, 'username');
  const iconEmoji = textArgument(args, 'icon_emoji');
  const iconUrl = textArgument(args, 'icon_url');
  const given = (name: string) => args[name] !== undefined && args[name] !== '';
  return {
    ...(given('unfurl_links') ? { unfurlLinks: flagArgument(args, 'unfurl_links') } : {}),
    ...(given('unfurl_media') ? { unfurlMedia: flagArgument(args, 'unfurl_media') } : {}),
    ...(threadTs === undefined ? {} : { threadTs }),
    ...(username === undefined ? {} : { username }),
    ...(iconEmoji === undefined ? {} : { iconEmoji }),
    ...(iconUrl === undefined ? {} : { iconUrl }),
  };
}

/** Builds the message of the arguments, or the platform's refusal. */
export function draftMessage({ args, caller, bytes }: Call, { id: channel }: Conversation): Draft | Refusal {
  const markdown = readMarkdownText(args);
  if (!markdown.ok) return markdown.refusal;
  const blocks = readBlocks(args);
  if (!blocks.ok) return blocks.refusal;
  const attachments = readAttachments(args);
  if (!attachments.ok) return attachments.refusal;
  const text = textArgument(args, 'text') ?? markdown.value;
  if (text === '' && blocks.value.length === 0 && attachments.value.length === 0) return refuse('no_text');
  const metadata = readMessageMetadata(args);
  if (!metadata.ok) return metadata.refusal;
  return {
    workspace: caller.workspace,
    channel,
    text: text.slice(0, TEXT_MAX),
    blocks: blocks.value,
    attachments: attachments.value,
    metadata: metadata.value,
    broadcast: flagArgument(args, 'reply_broadcast'),
    bytes,
    ...presentation(args),
  };
}

/** `chat.postMessage`: posts a message to a channel, or to a person's direct message. */
export const chatPostMessage: Method = {
  name: 'chat.postMessage',
  run(call, { messages }): Success | Refusal {
    const access = accessConversation(call.args);
    if (!access.ok) return access.refusal;
    if (access.conversation.isArchived) return refuse('is_archived');
    const threadTs = textArgument(call.args, 'thread_ts');
    if (threadTs !== undefined && !isMessageTs(threadTs)) return refuse('invalid_thread_ts');
    const draft = draftMessage(call, access.conversation);
    if ('ok' in draft) return draft;
    const message = messages.accept(draft);
    const truncated = (textArgument(call.args, 'text') ?? '').length > TEXT_MAX;
    return {
      ok: true,
      channel: message.channel,
      ts: message.ts,
      message: messageReply(message, true),
      ...(truncated ? { response_metadata: { warnings: ['message_truncated'] } } : {}),
    };
  },
};
