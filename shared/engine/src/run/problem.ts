import { type LimitName, limits } from '../limits.ts';

/** The stable names of what can be wrong with a template, its data or the options of a run. */
export type ProblemRule =
  | 'required'
  | 'type.unknown'
  | 'type.surface'
  | 'type.not_posted'
  | 'key.unknown'
  | 'key.one_of'
  | 'id.conflict'
  | 'value.type'
  | 'value.choice'
  | 'value.form'
  | 'value.object'
  | 'value.missing'
  | 'value.not_list'
  | 'value.not_offered'
  | 'table.width'
  | 'chart.axes'
  | 'placeholder.syntax'
  | 'placeholder.place'
  | 'path.syntax'
  | 'path.scope'
  | 'filter.unknown'
  | 'filter.arguments'
  | 'filter.order'
  | 'directive.unknown'
  | 'directive.overflow_text'
  | 'with.value'
  | 'translations.unknown'
  | 'translations.missing'
  | 'translations.placeholder'
  | 'translations.place'
  | 'translations.key'
  | 'partial.unknown'
  | 'partial.not_live'
  | 'partial.archived'
  | 'partial.changed'
  | 'partial.place'
  | 'partial.self'
  | 'partial.depth'
  | 'partial.data'
  | 'with.not_read'
  | 'with.not_given'
  | 'condition.syntax'
  | 'operator.unknown'
  | 'interaction.unknown'
  | 'interaction.place'
  | 'limit.max'
  | 'limit.min'
  | 'budget'
  | 'locale'
  | 'timezone'
  | 'problems.more';

/** One problem of a template, its data or the options of a run. */
export interface Problem {
  /** RFC 6901 pointer into the blocks as given; {@link fallbackPointer} for the fallback text; empty for the whole. */
  readonly pointer: string;
  readonly rule: ProblemRule;
  /** The problem and its remedy, for people. Not stable. */
  readonly message: string;
  /** Name of the limit that is passed. */
  readonly limit?: LimitName;
  readonly max?: number;
  readonly actual?: number;
  /** A likely remedy, such as the nearest known name. */
  readonly hint?: string;
}

/** Pointer of problems of the fallback text; no block can be there. */
export const fallbackPointer = '/fallback_text';

/** The state of a {@link CappedList} at a moment. */
export interface ListMark {
  readonly kept: number;
  readonly more: number;
}

/** What an entry says; a template chooses keys and paths of any length, which stand in all of it. */
interface Said {
  readonly pointer: string;
  readonly message: string;
  readonly hint?: string;
  readonly path?: string;
}

/** Bytes of the entries of a list together, beyond which the rest is counted alone. */
const maxBytes = 32_768;
/** Characters of each text of an entry, so that a hundred lists fit into an answer. */
const longest = 2_048;

const encoder = new TextEncoder();

const bytesOf = ({ pointer, message, hint = '', path = '' }: Said): number =>
  encoder.encode(pointer + message + hint + path).length;

const cut = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text;

const cutTexts = <T extends Said>(entry: T): T => ({
  ...entry,
  pointer: cut(entry.pointer),
  message: cut(entry.message),
  ...(entry.hint !== undefined && { hint: cut(entry.hint) }),
  ...(entry.path !== undefined && { path: cut(entry.path) }),
});

/** Collects entries up to the engine's caps and counts the rest, so that hostile input cannot fill the memory. */
export class CappedList<T extends Said> {
  readonly #kept: T[] = [];
  #bytes = 0;
  #more = 0;

  /** Adds an entry. */
  add(entry: T): void {
    if (this.isFull) {
      this.skip();
      return;
    }
    const kept = cutTexts(entry);
    this.#kept.push(kept);
    this.#bytes += bytesOf(kept);
  }

  /** Whether further entries are counted alone, so that none need be made. */
  get isFull(): boolean {
    return this.#kept.length >= limits['engine.problems'].max || this.#bytes >= maxBytes;
  }

  /** Counts entries that were not made. */
  skip(entries = 1): void {
    this.#more += entries;
  }

  /** Where the list stands, for {@link CappedList.rewind}. */
  mark(): ListMark {
    return { kept: this.#kept.length, more: this.#more };
  }

  /** Takes back what was added since a mark; all where the list was not yet made then. */
  rewind({ kept, more }: ListMark = { kept: 0, more: 0 }): void {
    for (const entry of this.#kept.splice(kept)) this.#bytes -= bytesOf(entry);
    this.#more = more;
  }

  /** Number of added entries, kept or not. */
  get count(): number {
    return this.#kept.length + this.#more;
  }

  /** The kept entries. */
  get kept(): readonly T[] {
    return this.#kept;
  }

  /** The kept entries, and at the end what `describeRest` makes of the number of the others. */
  list(describeRest: (more: number) => T): T[] {
    return this.#more === 0 ? [...this.#kept] : [...this.#kept, describeRest(this.#more)];
  }
}

/** The problems of a list, closed by a count of those beyond the cap. */
export const listProblems = (problems: CappedList<Problem>): Problem[] =>
  problems.list((more) => ({
    pointer: '',
    rule: 'problems.more',
    message: `${more} more problems are not listed; fix these first.`,
    actual: more,
  }));
