/** The value of one element, as the platform reports it: its `type` and a field such as `selected_option` or `value`. */
export interface ElementValue {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The values of all elements, by block id and action id. */
export type ViewState = Readonly<Record<string, Readonly<Record<string, ElementValue>>>>;

/** One use of an element: a button that was clicked, or a value that changed. */
export interface Action extends ElementValue {
  readonly action_id: string;
  readonly block_id: string;
}

/** What a person did, and what the elements around hold at that moment. */
export interface Interaction {
  readonly action: Action;
  readonly state: ViewState;
}

/** What menus of people, channels and conversations offer, as ids. */
export interface Choices {
  readonly users: readonly string[];
  readonly channels: readonly string[];
  readonly conversations: readonly string[];
}

/** What a drawing depends on besides the blocks. Every part has a default. */
export interface ViewContext {
  /** Names of users and channels by id. An id without a name is shown as it is. */
  readonly names?: Readonly<Record<string, string>>;
  /** What menus offer. Default: all ids in `names` that begin with U, with C, or with C or D. */
  readonly choices?: Choices;
  /** The author of messages that name none. Default: `App`. */
  readonly author?: string;
  /** The address of the picture of an author that has none. Default: no picture. */
  readonly authorIcon?: string;
  /** The language of dates and numbers, as in `en-GB`. Default: the browser's. */
  readonly locale?: string;
  /** The zone of dates, as in `Europe/Berlin`. Default: the browser's. */
  readonly timeZone?: string;
  /** The present moment, for relative dates. Default: the browser's clock. */
  readonly now?: () => Date;
  /** Receives every use of an element. Default: elements can be used, and nothing is reported. */
  readonly onAction?: (interaction: Interaction) => void;
  /** Asks the question of an element with `confirm`. Default: the browser's dialog. */
  readonly confirm?: (question: string) => boolean;
}

/** The name behind an id, or the id itself where the name is not known. */
export const nameOf = ({ names = {} }: ViewContext, id: string): string => names[id] ?? id;

/** What menus offer. */
export const choicesOf = ({ choices, names = {} }: ViewContext): Choices => {
  const ids = (pattern: RegExp) => Object.keys(names).filter((id) => pattern.test(id));
  return choices ?? { users: ids(/^U/), channels: ids(/^C/), conversations: ids(/^[CD]/) };
};

/** The present moment. */
export const nowOf = ({ now }: ViewContext): Date => now?.() ?? new Date();
