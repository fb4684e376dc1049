/** Text as the platform writes it. */
export interface TextObject {
  readonly type: 'plain_text' | 'mrkdwn';
  readonly text: string;
  readonly emoji?: boolean;
}

/** A picture: an address, or a file of the workspace. */
export interface Picture {
  readonly image_url?: string;
  readonly slack_file?: { readonly id?: string; readonly url?: string };
  readonly alt_text: string;
}

interface Styled {
  readonly style?: Readonly<Partial<Record<'bold' | 'italic' | 'strike' | 'underline' | 'code', boolean>>>;
}

/** Something of the workspace that a text refers to. */
interface Mentioned {
  readonly text?: string;
  readonly url?: string;
}

/** What stands inside a line of rich text, by type. */
export interface RichTextLeaves {
  text: { readonly text: string };
  link: { readonly url: string; readonly text?: string };
  emoji: { readonly name: string };
  user: { readonly user_id: string };
  usergroup: { readonly usergroup_id: string };
  team: { readonly team_id: string };
  channel: { readonly channel_id: string };
  broadcast: { readonly range: string };
  date: {
    readonly timestamp: number;
    readonly format: string;
    readonly timezone?: string;
    readonly url?: string;
    readonly fallback?: string;
  };
  color: { readonly value: string };
  tag: { readonly text: string; readonly color?: string };
  attachment_mention: Mentioned & { readonly url: string };
  canvas: Mentioned & { readonly file_id: string; readonly label?: string };
  canvas_user_mention: { readonly user_id: string };
  canvas_message_unfurl: { readonly root_message_ts: string; readonly root_message_channel: string };
  citation: { readonly url: string; readonly text: string; readonly index: number };
  file: Mentioned & { readonly file_id: string };
  list_record: Mentioned & { readonly file_id: string };
  message_mention: Mentioned & { readonly channel_id: string; readonly message_ts: string };
  salesforce_data_field: { readonly salesforce_record_id: string; readonly salesforce_field_label?: string };
  work_object_mention: Mentioned & { readonly entity_id: string };
  workflow_mention: Mentioned & { readonly workflow_id: string };
}

/** A piece of a line of rich text. */
export type RichTextLeaf<T extends keyof RichTextLeaves = keyof RichTextLeaves> = {
  [K in T]: { readonly type: K } & RichTextLeaves[K] & Styled;
}[T];

/** The parts of a rich text, by type. */
export interface RichTextSections {
  rich_text_section: { readonly elements: readonly RichTextLeaf[] };
  rich_text_list: {
    readonly elements: readonly { readonly elements: readonly RichTextLeaf[] }[];
    readonly style: 'ordered' | 'bullet';
    readonly indent?: number;
    readonly offset?: number;
  };
  rich_text_quote: { readonly elements: readonly RichTextLeaf[] };
  rich_text_preformatted: { readonly elements: readonly RichTextLeaf[] };
}

/** A part of a rich text: a section, a list, a quote or preformatted lines. */
export type RichTextSection<T extends keyof RichTextSections = keyof RichTextSections> = {
  [K in T]: { readonly type: K } & RichTextSections[K];
}[T];

/** Formatted text, as a block and inside other blocks. */
export interface RichText {
  readonly type: 'rich_text';
  readonly elements: readonly RichTextSection[];
}
