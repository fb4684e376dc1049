import type { Message } from '../world/message.ts';
import { BOT } from './token.ts';

/**
 * A message as the platform's methods present it.
 *
 * @param withMetadata true to include the metadata
 */
export function messageReply(message: Message, withMetadata: boolean): Record<string, unknown> {
  return {
    type: 'message',
    ...(message.username === undefined ? {} : { subtype: 'bot_message', username: message.username }),
    user: BOT.userId,
    bot_id: BOT.botId,
    app_id: BOT.appId,
    team: message.workspace,
    ts: message.ts,
    text: message.text,
    ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
    ...(message.attachments.length === 0 ? {} : { attachments: message.attachments }),
    ...(message.threadTs === undefined ? {} : { thread_ts: message.threadTs }),
    ...iconReply(message),
    ...(withMetadata && message.metadata !== null ? { metadata: message.metadata } : {}),
  };
}

function iconReply({ iconEmoji, iconUrl }: Message): Record<string, unknown> {
  if (iconEmoji !== undefined) return { icons: { emoji: iconEmoji } };
  return iconUrl === undefined ? {} : { icons: { image_48: iconUrl } };
}
