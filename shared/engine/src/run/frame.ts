/** The start of a reference. */
export type Origin = 'root' | 'item' | 'index' | 'number' | 'first' | 'last' | 'count';

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
}

/** The item that a loop is at. */
export interface Frame {
  item: unknown;
  index: number;
  readonly count: number;
  /** Number of shown items. */
  readonly shown: number;
  /** The list that is looped over, as the template names it. */
  readonly list: Reference;
  readonly parent: Frame | undefined;
}

const join = (start: string, segments: readonly Segment[]): string =>
  segments.reduce<string>(
    (path, segment) =>
      typeof segment === 'number' ? `${path}[${segment}]` : path === '' ? segment : `${path}.${segment}`,
    start,
  );

/** The path from the root of the data that a reference reads in the present round of its loops, `items[3].name`. */
export const describeReference = (reference: Reference, frame: Frame | undefined): string => {
  if (reference.origin === 'root') return join('', reference.segments) || 'data';
  if (reference.origin !== 'item') return reference.written;
  let at = frame;
  for (let level = 0; level < reference.up; level += 1) at = at?.parent;
  if (at === undefined) return reference.written;
  return join(`${describeReference(at.list, at.parent)}[${at.index}]`, reference.segments);
};
