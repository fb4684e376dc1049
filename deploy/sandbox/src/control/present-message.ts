import { type Message, messageKey } from '../world/message.ts';

/** A message as `GET /control/messages` lists it. */
export interface PresentedMessage {
  readonly channel: string;
  readonly ts: string;
  readonly text: string;
  readonly blocks: readonly unknown[];
  readonly metadata: Message['metadata'];
  /** The metadata payload's `key`, null when it has none. */
  readonly key: string | null;
  /** RFC 3339 in UTC. */
  readonly posted_at: string;
  /** Id of the workspace, `T…`. */
  readonly workspace: string;
  readonly attachments: readonly unknown[];
  readonly thread_ts: string | null;
  readonly username: string | null;
  readonly icon_emoji: string | null;
  readonly icon_url: string | null;
  /** Number of edits. */
  readonly edits: number;
}

/** Presents a message to tests and people. */
export function presentMessage(message: Message): PresentedMessage {
  return {
    channel: message.channel,
    ts: message.ts,
    text: message.text,
    blocks: message.blocks,
    metadata: message.metadata,
    key: messageKey(message),
    posted_at: message.postedAt,
    workspace: message.workspace,
    attachments: message.attachments,
    thread_ts: message.threadTs ?? null,
    username: message.username ?? null,
    icon_emoji: message.iconEmoji ?? null,
    icon_url: message.iconUrl ?? null,
    edits: message.edits,
  };
}
