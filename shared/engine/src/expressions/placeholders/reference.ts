import { isObject } from '../../json.ts';
import type { Frame, Run } from '../../run/run.ts';

/** What a reference starts from. */
export type Origin = 'root' | 'item' | 'index' | 'number' | 'first' | 'last' | 'count';

/** One step into a value: a key of an object, or an item's number. */
export type Segment = string | number;

/** A path of the template, resolved as far as the template alone allows: which loop it starts at and what follows. */
export interface Reference {
  readonly origin: Origin;
  /** How many loops out the start is; 0 is the innermost. */
  readonly up: number;
  readonly segments: readonly Segment[];
  /** The path as the template writes it. */
  readonly written: string;
}

/** Reads a reference from a run. */
export type Reader = (run: Run) => unknown;

const isIndex = /^\d{1,9}$/;

/** One step into a value, over own properties alone. A list has items, never properties like `length`. */
const stepInto = (value: unknown, segment: Segment): unknown => {
  if (isObject(value)) return Object.hasOwn(value, segment) ? value[segment] : undefined;
  if (!Array.isArray(value)) return undefined;
  if (typeof segment === 'number') return value[segment];
  return isIndex.test(segment) ? value[Number(segment)] : undefined;
};

/** A step by a name into what is most often an object. */
const keyOf = (value: unknown, key: string): unknown =>
  isObject(value) ? (Object.hasOwn(value, key) ? value[key] : undefined) : stepInto(value, key);

const walk = (value: unknown, segments: readonly Segment[]): unknown => {
  let current = value;
  for (const segment of segments) current = stepInto(current, segment);
  return current;
};

const frameAt = (run: Run, up: number): Frame | undefined => {
  let frame = run.frame;
  for (let level = 0; level < up; level += 1) frame = frame?.parent;
  return frame;
};

const readItem = ({ up, segments }: Reference): Reader => {
  const [first] = segments;
  if (up === 0 && first === undefined) return (run) => run.frame?.item;
  if (up === 0 && segments.length === 1 && typeof first === 'string') {
    return (run) => keyOf(run.frame?.item, first);
  }
  return (run) => walk(frameAt(run, up)?.item, segments);
};

const readRoot = ({ segments }: Reference): Reader => {
  const [first] = segments;
  const [, second] = segments;
  if (segments.length === 1 && typeof first === 'string') return (run) => keyOf(run.data, first);
  if (segments.length === 2 && typeof first === 'string' && typeof second === 'string') {
    return (run) => keyOf(keyOf(run.data, first), second);
  }
  return (run) => walk(run.data, segments);
};

const readLoop: Record<Exclude<Origin, 'root' | 'item'>, (frame: Frame) => unknown> = {
  index: (frame) => frame.index,
  number: (frame) => frame.index + 1,
  first: (frame) => frame.index === 0,
  last: (frame) => frame.index === frame.shown - 1,
  count: (frame) => frame.count,
};

/** Compiles a reference to a function; the common short ones to one without loops. */
export const readerOf = (reference: Reference): Reader => {
  if (reference.origin === 'root') return readRoot(reference);
  if (reference.origin === 'item') return readItem(reference);
  const { up } = reference;
  const read = readLoop[reference.origin];
  return (run) => {
    const frame = frameAt(run, up);
    return frame === undefined ? undefined : read(frame);
  };
};

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
