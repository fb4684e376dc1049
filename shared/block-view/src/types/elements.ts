import type { Picture, RichText, TextObject } from './text.ts';

/** One choice of a menu, of checkboxes or of radio buttons. */
export interface Option {
  readonly text: TextObject;
  readonly value?: string;
  readonly description?: TextObject;
  readonly url?: string;
}

/** The question that a person confirms before an element acts. */
export interface Confirmation {
  readonly title?: TextObject;
  readonly text?: TextObject;
}

/** What every interactive element may have. */
interface Interactive {
  readonly action_id?: string;
  readonly confirm?: Confirmation;
}

export interface Button extends Interactive {
  readonly text: TextObject;
  readonly style?: 'primary' | 'danger';
  readonly url?: string;
  readonly value?: string;
  readonly accessibility_label?: string;
}

export interface IconButton extends Interactive {
  readonly icon: string;
  readonly text: TextObject;
  readonly value?: string;
  readonly accessibility_label?: string;
}

interface Feedback {
  readonly text: TextObject;
  readonly value: string;
  readonly accessibility_label?: string;
}

export interface FeedbackButtons extends Interactive {
  readonly positive_button: Feedback;
  readonly negative_button: Feedback;
}

/** A menu: its own options, or a source of which the platform knows the choices. */
export interface Menu extends Interactive {
  readonly placeholder?: TextObject;
  readonly options?: readonly Option[];
  readonly option_groups?: readonly { readonly label: TextObject; readonly options: readonly Option[] }[];
  readonly initial_option?: Option;
  readonly initial_options?: readonly Option[];
  readonly initial_user?: string;
  readonly initial_users?: readonly string[];
  readonly initial_channel?: string;
  readonly initial_channels?: readonly string[];
  readonly initial_conversation?: string;
  readonly initial_conversations?: readonly string[];
}

/** Checkboxes or radio buttons. */
export interface Ticks extends Interactive {
  readonly options: readonly Option[];
  readonly initial_option?: Option;
  readonly initial_options?: readonly Option[];
}

export interface Overflow extends Interactive {
  readonly options: readonly Option[];
}

/** A field in which a person types or picks. */
export interface Field extends Interactive {
  readonly placeholder?: TextObject;
  readonly initial_value?: string | number;
  readonly initial_date?: string;
  readonly initial_time?: string;
  readonly min_value?: string | number;
  readonly max_value?: string | number;
  readonly multiline?: boolean;
}

export interface MomentPicker extends Interactive {
  /** Seconds since 1970. */
  readonly initial_date_time?: number;
}

export interface RichTextInput extends Interactive {
  readonly placeholder?: TextObject;
  readonly initial_value?: RichText | TextObject;
}

/** The elements of blocks, by type. */
export interface Elements {
  button: Button;
  workflow_button: Button;
  icon_button: IconButton;
  feedback_buttons: FeedbackButtons;
  image: Picture & Interactive;
  static_select: Menu;
  multi_static_select: Menu;
  external_select: Menu;
  multi_external_select: Menu;
  users_select: Menu;
  multi_users_select: Menu;
  conversations_select: Menu;
  multi_conversations_select: Menu;
  channels_select: Menu;
  multi_channels_select: Menu;
  checkboxes: Ticks;
  radio_buttons: Ticks;
  overflow: Overflow;
  datepicker: Field;
  timepicker: Field;
  datetimepicker: MomentPicker;
  plain_text_input: Field;
  rich_text_input: RichTextInput;
  email_text_input: Field;
  url_text_input: Field;
  number_input: Field;
  file_input: Interactive;
}

export type ElementType = keyof Elements;

/** An element of a block. */
export type BlockElement<T extends ElementType = ElementType> = {
  [K in T]: { readonly type: K } & Elements[K];
}[T];
