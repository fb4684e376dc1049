import { noteRead } from '../expressions/placeholders/evaluate.ts';
import { parsePath } from '../expressions/placeholders/path.ts';
import { readerOf } from '../expressions/placeholders/reference.ts';
import { isList, isObject, type JsonObject, jsonTypeOf } from '../json.ts';
import { contextIn, type ParseContext, report, reportType, type Scope } from '../parse/parse-context.ts';
import type { ParsedPath } from '../parse/parsed-path.ts';
import { describeReference, type Frame } from '../run/frame.ts';
import { rehearse } from '../run/leave-out.ts';
import {
  type Emit,
  noteMissing,
  noteUnfit,
  type Run,
  spendEvaluations,
  spendIterations,
  warn,
} from '../run/run.ts';
import { emitAll } from './children.ts';
import { FittingItems } from './fitting-items.ts';

const name = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
/** Names that mean something else in every path. */
const taken = ['this'];

/** Reads the name that the item is bound to; false when it is wrong, which is then reported. */
export const parseName = (value: JsonObject, context: ParseContext): string | undefined | false => {
  const { as } = value;
  if (as === undefined) return undefined;
  if (typeof as === 'string' && name.test(as) && !taken.includes(as)) return as;
  report(
    contextIn(context, 'as'),
    'path.syntax',
    '`as` is one word of letters, digits and `_`, other than `this`.',
  );
  return false;
};

/** Reads how many items are shown at most; undefined when that is wrong, which is then reported. */
export const parseMaximum = (
  value: JsonObject,
  key: 'max_items' | 'max_rows',
  context: ParseContext,
): number | undefined => {
  const { [key]: most } = value;
  if (most === undefined) return Number.POSITIVE_INFINITY;
  if (typeof most === 'number' && Number.isSafeInteger(most) && most >= 1) return most;
  return reportType(contextIn(context, key), 'a whole number from 1', most);
};

/**
 * Reads the path to a list or an object that is looped over; undefined when it is wrong, which is then reported, or
 * left out.
 */
export const parseListPath = (
  value: JsonObject,
  key: 'path' | 'source',
  context: ParseContext,
): ParsedPath | undefined => {
  const { [key]: path } = value;
  if (path === undefined) return undefined;
  const at = contextIn(context, key);
  if (typeof path !== 'string') return reportType(at, 'a text', path);
  const parsed = parsePath(path, at);
  if (parsed !== undefined) noteRead(at, parsed, 'list');
  return parsed;
};

const unloopable = 'not a list or an object';

const noteNoList = (run: Run, path: ParsedPath, given: unknown, pointer: string): void => {
  const { reference } = path;
  if (given === undefined || given === null) {
    noteMissing(run, reference, pointer);
  } else if (run.strict) {
    const reason = `is ${jsonTypeOf(given)}, ${unloopable}.`;
    noteUnfit(run, reference, pointer, { rule: 'value.not_list', reason });
  } else {
    const story = (): string =>
      `\`${describeReference(reference, run.frame)}\` is ${jsonTypeOf(given)}, ${unloopable}, so nothing is emitted.`;
    warn(run, 'value.not_list', pointer, story);
  }
};

/** The names that `{{…}}` may read of an item of the list. */
export const scopeOfItem = (
  path: ParsedPath | undefined,
  name: string | undefined,
  context: ParseContext,
): Scope => ({
  name,
  steps: path?.steps && [...path.steps, null],
  parent: context.scope,
});

/** The name that the text about items not shown may read: `{{remaining}}`. */
export const scopeOfRemaining = (context: ParseContext): Scope => ({
  name: 'remaining',
  steps: undefined,
  parent: context.scope,
});

/**
 * Number of items that a loop shows.
 *
 * @param most what the template says
 * @param room entries that fit in the list
 * @param width entries of an item; unknown where data decides
 * @returns the number where all are shown, and where a note takes the place of the others
 */
export const shownBeside = (most: number, room: number, width = 0): Pick<Loop, 'most' | 'beside'> => {
  const fitting = (entries: number): number =>
    width === 0 ? most : Math.min(most, Math.max(0, Math.floor(entries / width)));
  return { most: fitting(room), beside: fitting(room - 1) };
};

/** A loop over a list or an object of the data. */
export interface Loop {
  readonly path: ParsedPath;
  /** Maximum number of items shown. */
  readonly most: number;
  /** The same where there are more, which are counted by a note. */
  readonly beside: number;
  /** Where both suppose that no entry of an item comes out empty: what decides when some do. */
  readonly sparse?: { readonly most: number; readonly room: number } | undefined;
  readonly children: readonly Emit[];
  readonly empty: readonly Emit[];
  readonly overflow: readonly Emit[];
  readonly pointer: string;
}

/** The keys of an object that is looped over, in their order; undefined for all else. */
const keysOf = (run: Run, given: unknown): readonly string[] | undefined => {
  if (!isObject(given)) return undefined;
  const keys = Object.keys(given);
  // All of them are collected, and their values, also where few are shown.
  spendEvaluations(run, 2 * keys.length);
  return keys;
};

const valuesOf = (given: unknown): readonly unknown[] | undefined =>
  isObject(given) ? Object.values(given) : undefined;

/**
 * Number of items that a list has room for, by trial: entries that come out empty leave room for others.
 *
 * @returns all of them where they fit, else those that fit next to the note
 */
const fittingByTrial = (
  children: readonly Emit[],
  { most, room }: NonNullable<Loop['sparse']>,
  items: readonly unknown[],
  of: Pick<Frame, 'keys' | 'count' | 'list' | 'parent'>,
  run: Run,
): number =>
  rehearse(run, () => {
    const shown = Math.min(items.length, most);
    const frame: Frame = { ...of, item: undefined, index: 0, shown };
    const out: unknown[] = [];
    const { skipped } = run;
    const entries = (): number => out.length + run.skipped - skipped;
    let fitting = 0;
    let index = 0;
    run.frame = frame;
    for (; index < shown && entries() <= room; index += 1) {
      spendIterations(run, 1);
      frame.item = items[index];
      frame.index = index;
      emitAll(children, run, out);
      if (entries() < room) fitting = index + 1;
    }
    run.frame = of.parent;
    return index === items.length && entries() <= room ? index : fitting;
  });

/** Emits the items that are shown, and the note about the others where there are any. */
const emitItems = (
  { children, overflow, pointer }: Loop,
  items: readonly unknown[],
  of: Pick<Frame, 'keys' | 'count' | 'list' | 'parent'>,
  run: Run,
  out: unknown[],
): void => {
  const shown = items.length;
  const start = { ...of, item: undefined, index: 0, shown };
  const frame: Frame = start;
  const fitting = run.leavesOut && overflow.length > 0 ? new FittingItems(run, out) : undefined;
  const emitItem = (): void => emitAll(children, run, out);
  run.frame = frame;
  for (let index = 0; index < shown; index += 1) {
    frame.item = items[index];
    frame.index = index;
    if (fitting === undefined) emitItem();
    else fitting.add(emitItem);
  }
  const remaining = (): number => of.count - shown + (fitting?.hidden ?? 0);
  const emitNote = (): void => {
    run.frame = { ...start, item: remaining() };
    emitAll(overflow, run, out);
  };
  if (remaining() > 0 && fitting !== undefined) fitting.end(pointer, emitNote);
  else if (remaining() > 0 && overflow.length > 0) emitNote();
  run.frame = of.parent;
};

/** Compiles a loop to what emits its entries. */
export const loopOver = (loop: Loop): Emit => {
  const { path, most, beside, sparse, children, empty, pointer } = loop;
  const read = readerOf(path.reference);
  return (run, out) => {
    const given = read(run);
    const keys = keysOf(run, given);
    const items = isList(given) ? given : valuesOf(given);
    if (items === undefined) {
      noteNoList(run, path, given, pointer);
      return;
    }
    const count = items.length;
    if (count === 0) {
      emitAll(empty, run, out);
      return;
    }
    const of = { keys, count, list: path.reference, parent: run.frame };
    const mayShowMore = count > most && sparse !== undefined && sparse.most > beside;
    const fitting = mayShowMore ? fittingByTrial(children, sparse, items, of, run) : beside;
    const shown = count <= most ? count : fitting;
    spendIterations(run, shown);
    emitItems(loop, items.slice(0, shown), of, run, out);
  };
};
