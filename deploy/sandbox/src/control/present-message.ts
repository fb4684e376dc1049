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
  /** Whether a reply is shown in the channel too. */
  readonly reply_broadcast: boolean;
  /** Null where the platform decides. */
  readonly unfurl_links: boolean | null;
  readonly unfurl_media: boolean | null;
  /** Of an ephemeral message, its one reader. */
  readonly visible_to: string | null;
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
    reply_broadcast: message.broadcast,
    unfurl_links: message.unfurlLinks ?? null,
    unfurl_media: message.unfurlMedia ?? null,
    visible_to: message.visibleTo ?? null,
    username: message.username ?? null,
    icon_emoji: message.iconEmoji ?? null,
    icon_url: message.iconUrl ?? null,
    edits: message.edits,
  };
}
