/** The event that an app attaches to a message; anyone in the workspace can read it. */
export interface Metadata {
  readonly event_type: string;
  readonly event_payload: Readonly<Record<string, unknown>>;
}

/** A post whose arguments were accepted. */
export interface Draft {
  /** Id of the workspace, `T…`. */
  readonly workspace: string;
  /** Id of the channel or direct message. */
  readonly channel: string;
  /** The notification text; empty when only blocks were posted. */
  readonly text: string;
  readonly blocks: readonly unknown[];
  readonly attachments: readonly unknown[];
  readonly metadata: Metadata | null;
  /** The message that this one replies to. */
  readonly threadTs?: string;
  /** True when a reply is shown in the channel too. */
  readonly broadcast: boolean;
  /** Whether links unfold; the platform decides where they are undefined. */
  readonly unfurlLinks?: boolean;
  readonly unfurlMedia?: boolean;
  /** Of an ephemeral message: the one person of the channel who sees it. */
  readonly visibleTo?: string;
  /** The name shown instead of the bot's. */
  readonly username?: string;
  /** `:name:`; wins over `iconUrl`. */
  readonly iconEmoji?: string;
  readonly iconUrl?: string;
  /** Length of the request body in bytes, which bounds the memory. */
  readonly bytes: number;
}

/** A message that the sandbox accepted. */
export interface Message extends Draft {
  /** The message's id in its channel: seconds, a dot and six digits. */
  readonly ts: string;
  /** `ts` as one integer, in microseconds since 1970. */
  readonly micros: number;
  /** When it was accepted, RFC 3339 in UTC. */
  readonly postedAt: string;
  /** Number of edits. */
  readonly edits: number;
}

/** The `key` of the metadata's payload, by which a poster finds its message; null when absent. */
export function messageKey(message: Draft): string | null {
  const key = message.metadata?.event_payload.key;
  return typeof key === 'string' ? key : null;
}
