import { isObject } from '../../json.ts';
import type { Frame, Origin, Reference, Segment } from '../../run/frame.ts';
import type { Run } from '../../run/run.ts';

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
