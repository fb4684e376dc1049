import type { Position } from './positions.ts';

/** Stands in for a value while the marks around it are looked for: no mark, and no letter of any name. */
export const STAND_IN = '\uFFFC';

/** The places of the values of a text in which they are stood in for, given its parts between them. */
export const offsetsOf = (pieces: readonly string[]): number[] => {
  const offsets: number[] = [];
  let at = -1;
  for (const piece of pieces.slice(0, -1)) {
    at += piece.length + 1;
    offsets.push(at);
  }
  return offsets;
};

/** Marks that the filters of a value may bring into the text. */
export interface Brought {
  readonly marks: string;
  /** They stand between values of the same placeholder. */
  readonly isBetween: boolean;
}

/** Marks of the template around values that change with these values, or go where the values do not fit. */
export interface Region {
  /**
   * `code`: its delimiters outnumber those of the values. `link`: it can give way to its label. `style`: marks around
   * values alone, which go where these are empty, and so do the marks of a label of such.
   */
  readonly kind: 'code' | 'link' | 'style';
  /** The character of the delimiters of code. */
  readonly mark?: '`' | '~';
  /** Code in a line, where a space next to a delimiter is no content. */
  readonly isSpan?: boolean;
  /** Holds values alone, without which the code goes as well. */
  readonly isBare?: boolean;
  /** A link without a label gives way to `…`. */
  readonly hasLabel?: boolean;
  /** The link that these marks are a part of, and go with. */
  readonly link?: Region;
}

/** A part of the template's text that belongs to a region: a delimiter of code, or all of a link but its label. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly region: Region;
}

/** The marks of a text around its values. */
export interface Scan {
  readonly positions: readonly Position[];
  /** In order and apart from each other. */
  readonly spans: readonly Span[];
  /** The region of code around each value whose delimiters depend on it. */
  readonly code: readonly (Region | undefined)[];
  /** The marks before each value of a label of values alone: the `|`, and in Markdown all but the address. */
  readonly bars?: ReadonlyMap<number, Region>;
}

/** The index of the first of some sorted numbers that is not below a bound. */
export const firstFrom = (sorted: readonly number[], bound: number): number => {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The numbers of the values that stand in a part of the text, given the sorted positions of all. */
export const valuesBetween = (holes: readonly number[], from: number, to: number): number[] => {
  const first = firstFrom(holes, from);
  return holes.slice(first, firstFrom(holes, to)).map((_, index) => first + index);
};
