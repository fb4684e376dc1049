import { writePath } from './path-text.ts';

/** The start of a reference. */
export type Origin = 'root' | 'item' | 'given' | 'index' | 'number' | 'first' | 'last' | 'count' | 'key';

/** One step into a value: a key of an object, or an item's number. */
export type Segment = string | number;

/** A path of the template, resolved as far as the template alone allows: which loop it starts at and what follows. */
export interface Reference {
  readonly origin: Origin;
  /** Number of loops out to the start; 0 is the innermost. */
  readonly up: number;
  readonly segments: readonly Segment[];
  /** The path as the template writes it. */
  readonly written: string;
  /** Of the origin `given`: the value, which the template itself has. */
  readonly value?: unknown;
}

/** The item that a loop is at. */
export interface Frame {
  item: unknown;
  index: number;
  readonly count: number;
  /** The keys of the object that is looped over; undefined in a loop over a list. */
  readonly keys: readonly string[] | undefined;
  /** Number of shown items. */
  readonly shown: number;
  /** The list that is looped over, as the template names it. */
  readonly list: Reference;
  readonly parent: Frame | undefined;
}

/**
 * The path from the root of the data that a reference reads in the present round of its loops, `items[3].name`. An entry
 * of an object has its number as well: its key is data, which messages never show.
 */
export const describeReference = (reference: Reference, frame: Frame | undefined): string => {
  if (reference.origin === 'root')
    return reference.segments.length === 0 ? 'data' : writePath(reference.segments);
  if (reference.origin !== 'item') return reference.written;
  let at = frame;
  for (let level = 0; level < reference.up; level += 1) at = at?.parent;
  if (at === undefined) return reference.written;
  return writePath(reference.segments, `${describeReference(at.list, at.parent)}[${at.index}]`);
};
