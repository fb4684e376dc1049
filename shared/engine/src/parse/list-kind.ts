import type { Emit } from '../run/run.ts';
import type { Grammar } from './grammar.ts';
import type { Fixed } from './node.ts';

/** The kind of a list's entries. */
export interface ListKind {
  readonly item: Grammar;
  /** Builds the entry that says that there are more items; without it the list has none. */
  readonly note?: (text: unknown) => unknown;
  /** The list may also be `{source, item}`: an item for each of a list of the data. */
  readonly bindable?: true;
  /** A list that the template fills and that comes out empty is omitted, although the platform takes an empty one. */
  readonly dropsEmptied?: true;
  /** The placeholder of an empty item, in lists whose items belong to columns. */
  readonly gap?: unknown;
}

/** A list whose entries are being read. */
export interface OpenList extends ListKind {
  /** Number of entries that fit next to those that are known. */
  readonly room: number;
}

/** The entries of a list, parsed: what emits them, and what they are where no data can change them. */
export interface Entries {
  readonly emits: readonly Emit[];
  readonly fixed: readonly Fixed[] | undefined;
}
