import type { AnyBlock } from './blocks.ts';
import type { TextObject } from './text.ts';

/** An attachment: blocks, or the older form of title, text and fields. */
export interface Attachment {
  readonly color?: string;
  readonly pretext?: string;
  readonly title?: string;
  readonly title_link?: string;
  readonly text?: string;
  readonly fields?: readonly { readonly title?: string; readonly value?: string }[];
  readonly footer?: string;
  readonly fallback?: string;
  readonly blocks?: readonly AnyBlock[];
}

/** A message as it is posted. Absent parts are left out. */
export interface Message {
  /** Shown where there are no blocks, as mrkdwn. */
  readonly text?: string;
  readonly blocks?: readonly AnyBlock[];
  readonly attachments?: readonly Attachment[];
  /** The author's name. */
  readonly username?: string | null;
  /** The author's picture: an emoji such as `:rocket:`. */
  readonly icon_emoji?: string | null;
  /** The author's picture by its address. */
  readonly icon_url?: string | null;
  /** When it was posted, in ISO 8601. */
  readonly posted_at?: string;
  /** How often it was edited. */
  readonly edits?: number;
}

/** A modal view. */
export interface Modal {
  readonly title?: TextObject;
  readonly submit?: TextObject;
  readonly close?: TextObject;
  readonly blocks: readonly AnyBlock[];
}
