import {
  loopOver,
  parseListPath,
  parseMaximum,
  parseName,
  scopeOfItem,
  scopeOfRemaining,
  shownBeside,
} from '../directives/loop.ts';
import { hasPlaceholder } from '../expressions/placeholders/scan.ts';
import type { JsonObject } from '../json.ts';
import { type LimitName, limitOf } from '../limits.ts';
import type { ShapeDescription } from '../parse/description.ts';
import type { Grammar } from '../parse/grammar.ts';
import { made, type Node } from '../parse/node.ts';
import { contextIn, overLimit, type ParseContext, report } from '../parse/parse-context.ts';
import { gatherFitting, leavable } from '../run/leave-out.ts';
import { type Emit, noteProblem, type Run, spendOutput } from '../run/run.ts';
import { checkKeys } from './keys.ts';

/** A list of the data that is shown by one pattern. */
export interface Source {
  /** The context with the item of the list in its scope. */
  readonly inside: ParseContext;
  /** The context whose texts may read `{{remaining}}`. */
  readonly beyond: ParseContext;
  /** The place of the list's name. */
  readonly pointer: string;
  /** Emits what the item makes, for every item shown, and then the note about the others. */
  readonly emitAll: (item: Emit, overflow?: Emit) => Emit;
}

/** Maximum number of items of a list. */
interface Fit {
  readonly limit: LimitName;
  /** Entries of the list that are no items. */
  readonly taken?: number;
}

/** Maximum number of items shown; undefined when invalid, which is reported. */
const parseMost = (
  value: JsonObject,
  maximum: 'max_items' | 'max_rows',
  context: ParseContext,
  limit: LimitName,
  room: number,
): number | undefined => {
  const most = parseMaximum(value, maximum, context);
  if (most === undefined || most <= room || most === Number.POSITIVE_INFINITY) return most;
  const message = `At most ${room} fit here, all else of the list counted (limit \`${limit}\`).`;
  return report(contextIn(context, maximum), 'limit.max', message, { limit, max: room, actual: most });
};

/** Reads `source`, `as` and how many items are shown; undefined when any is wrong, which is then reported. */
export const parseSource = (
  value: JsonObject,
  maximum: 'max_items' | 'max_rows',
  context: ParseContext,
  { limit, taken = 0 }: Fit,
): Source | undefined => {
  const path = parseListPath(value, 'source', context);
  const name = parseName(value, context);
  const room = limitOf(limit).max - taken;
  const most = parseMost(value, maximum, context, limit, room);
  if (path === undefined || name === false || most === undefined) return undefined;
  const { pointer } = contextIn(context, 'source');
  return {
    inside: { ...context, scope: scopeOfItem(path, name, context) },
    beyond: { ...context, scope: scopeOfRemaining(context) },
    pointer,
    emitAll: (item, overflow) =>
      loopOver({
        path,
        ...(overflow === undefined ? { most, beside: most } : shownBeside(most, room, 1)),
        children: [leavable(item)],
        empty: [],
        overflow: overflow === undefined ? [] : [leavable(overflow)],
        pointer,
      }),
  };
};

/**
 * The context of a text that is evaluated for each item: the engine builds an object around it, and pointers name the text.
 */
export const pinnedAt = (context: ParseContext, ...steps: readonly (string | number)[]): ParseContext => ({
  ...steps.reduce<ParseContext>((at, step) => contextIn(at, step), context),
  pinned: true,
});

/** Refuses a text that is the same for every item, which is most likely a path without its braces. */
export const checkReadsItem = (text: unknown, context: ParseContext): boolean => {
  if (typeof text !== 'string' || hasPlaceholder(text)) return true;
  report(context, 'placeholder.place', 'This text reads nothing of the item: it would be the same for all.', {
    hint: `Write \`{{this.${/^[\w$]+$/.test(text) ? text : 'name'}}}\`.`,
  });
  return false;
};

/** The value of a node in a run. */
export const evaluate = (node: Node, run: Run): unknown => {
  if (!node.fixed) return node.make(run);
  spendOutput(run, node.objects, node.units);
  run.text += node.text;
  return node.value;
};

/** Emits the value of a node, where it has one. */
export const emitNode =
  (node: Node): Emit =>
  (run, out) => {
    const value = evaluate(node, run);
    if (value !== undefined) out.push(value);
  };

/** Gathers what is emitted to a list within its limit; undefined where there is too little. */
export const gather = (
  emit: Emit,
  limit: LimitName,
  pointer: string,
): ((run: Run) => unknown[] | undefined) => {
  const { min = 0, max } = limitOf(limit);
  return (run) => {
    spendOutput(run, 1, 2);
    if (run.leavesOut) {
      const fitting = gatherFitting(run, limit, pointer, (out) => emit(run, out));
      return fitting.length < min ? undefined : fitting;
    }
    const out: unknown[] = [];
    emit(run, out);
    if (out.length > max) noteProblem(run, overLimit(pointer, limit, out.length));
    return out.length < min ? undefined : out;
  };
};

/** The description of a list with a `source`. */
export const sourceForm = (maximum: 'max_items' | 'max_rows'): ShapeDescription['fields'] => ({
  source: { kind: 'path', required: true },
  as: { kind: 'name', required: false },
  [maximum]: { kind: 'count', required: false },
});

/** The description of a list with one `item` for each entry of a `source`. */
export const boundListForm = (item: Pick<Grammar, 'describe'>): ShapeDescription => ({
  fields: { ...sourceForm('max_items'), item: { ...item.describe(), required: true } },
});

/** The keys of a list that a `source` makes. */
export const boundListKeys = ['source', 'item', 'as', 'max_items'] as const;

/** A list whose entries are one `item` for each of a `source`. */
export const parseBoundList = (
  value: JsonObject,
  context: ParseContext,
  limit: LimitName,
  itemGrammar: Grammar,
): Node | undefined => {
  const keys = { required: ['source', 'item'], optional: ['as', 'max_items'] };
  const sound = checkKeys(value, keys, 'list with a `source`', context);
  const source = parseSource(value, 'max_items', context, { limit });
  if (source === undefined || !Object.hasOwn(value, 'item')) return undefined;
  const item = itemGrammar.parse(value.item, contextIn(source.inside, 'item'));
  if (item === undefined || !sound) return undefined;
  return made(gather(source.emitAll(emitNode(item)), limit, source.pointer));
};
