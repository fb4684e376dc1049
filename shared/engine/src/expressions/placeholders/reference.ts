import { isObject } from '../../json.ts';
import type { Frame, Origin, Reference, Segment } from '../../run/frame.ts';
import { type Run, spendEvaluations } from '../../run/run.ts';
import { stepInto } from './value-at.ts';

/** Reads a reference from a run. */
export type Reader = (run: Run) => unknown;

const stepIn = (run: Run, value: unknown, segment: Segment): unknown => {
  // Its length is counted character by character.
  if (typeof value === 'string') spendEvaluations(run, value.length >> 6);
  return stepInto(value, segment);
};

/** A step by a name into what is most often an object. */
const keyOf = (run: Run, value: unknown, key: string): unknown =>
  isObject(value) ? (Object.hasOwn(value, key) ? value[key] : undefined) : stepIn(run, value, key);

const walk = (run: Run, value: unknown, segments: readonly Segment[]): unknown => {
  let current = value;
  for (const segment of segments) current = stepIn(run, current, segment);
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
    return (run) => keyOf(run, run.frame?.item, first);
  }
  return (run) => walk(run, frameAt(run, up)?.item, segments);
};

const readRoot = ({ segments }: Reference): Reader => {
  const [first] = segments;
  const [, second] = segments;
  if (segments.length === 1 && typeof first === 'string') return (run) => keyOf(run, run.data, first);
  if (segments.length === 2 && typeof first === 'string' && typeof second === 'string') {
    return (run) => keyOf(run, keyOf(run, run.data, first), second);
  }
  return (run) => walk(run, run.data, segments);
};

const readLoop: Record<Exclude<Origin, 'root' | 'item' | 'given'>, (frame: Frame) => unknown> = {
  index: (frame) => frame.index,
  number: (frame) => frame.index + 1,
  first: (frame) => frame.index === 0,
  last: (frame) => frame.index === frame.shown - 1,
  count: (frame) => frame.count,
  // A list has no keys; the number of the item is the key that it would have in an object.
  key: (frame) => frame.keys?.[frame.index] ?? String(frame.index),
};

/** Compiles a reference to a function; the common short ones to one without loops. */
export const readerOf = (reference: Reference): Reader => {
  if (reference.origin === 'root') return readRoot(reference);
  if (reference.origin === 'item') return readItem(reference);
  if (reference.origin === 'given') {
    const { value } = reference;
    return () => value;
  }
  const { up } = reference;
  const read = readLoop[reference.origin];
  return (run) => {
    const frame = frameAt(run, up);
    return frame === undefined ? undefined : read(frame);
  };
};
