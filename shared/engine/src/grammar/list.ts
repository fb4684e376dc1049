import { emitAll } from '../directives/children.ts';
import { isDirective } from '../directives/directive.ts';
import { parseDirective } from '../directives/parse-directive.ts';
import { isPlaceholderText, wholeValueOf } from '../expressions/placeholders/value.ts';
import { freezeDeep, isList, isObject } from '../json.ts';
import { type LimitName, limitOf } from '../limits.ts';
import type { Grammar, ScalarTest } from '../parse/grammar.ts';
import type { Entries, ListKind, OpenList } from '../parse/list-kind.ts';
import { type Fixed, type Made, made, type Node } from '../parse/node.ts';
import { contextIn, overLimit, type ParseContext, reportType, underLimit } from '../parse/parse-context.ts';
import { emitOrLeaveOut, gatherFitting, noteOverflow } from '../run/leave-out.ts';
import { type Emit, noteProblem, noteUnfit, type Run, spendOutput } from '../run/run.ts';
import { parseBoundList } from './source.ts';

const emitMade = (run: Run, out: unknown[], make: Made['make'], gap: unknown): void => {
  const value = make(run) ?? gap;
  if (value !== undefined) out.push(value);
};

const emitFixed = (run: Run, out: unknown[], { value, objects, units, text }: Fixed): void => {
  spendOutput(run, objects, units);
  run.text += text;
  out.push(value);
};

const emitterOf = (node: Node, gap: unknown): Emit => {
  if (node.fixed) {
    return (run, out) => {
      if (run.leavesOut) emitOrLeaveOut(run, out, () => emitFixed(run, out, node));
      else emitFixed(run, out, node);
    };
  }
  const { make } = node;
  return (run, out) => {
    if (run.leavesOut) emitOrLeaveOut(run, out, () => emitMade(run, out, make, gap), gap);
    else emitMade(run, out, make, gap);
  };
};

/** Items beyond its limit up to which a list is searched for other problems; a longer list is hostile. */
const LOOKED_AT = 4;

/** Parses the entries of a list, of which any may be a directive. Undefined when one is wrong. */
export const parseEntries = (
  values: readonly unknown[],
  context: ParseContext,
  kind: OpenList,
): Entries | undefined => {
  const emits: Emit[] = [];
  const nodes: Fixed[] = [];
  const room = kind.room - values.filter((value) => !isDirective(value)).length;
  let sound = true;
  values.forEach((value, index) => {
    const at = contextIn(context, index);
    if (isDirective(value)) {
      const emit = parseDirective(value, at, { ...kind, room, parseChildren: parseEntries });
      if (emit === undefined) sound = false;
      else emits.push(emit);
      return;
    }
    const node = kind.item.parse(value, at);
    if (node === undefined) sound = false;
    else {
      emits.push(emitterOf(node, kind.gap));
      if (node.fixed) nodes.push(node);
    }
  });
  if (!sound) return undefined;
  return { emits, fixed: nodes.length === values.length ? nodes : undefined };
};

const sum = (nodes: readonly Fixed[], count: (node: Fixed) => number): number =>
  nodes.reduce((total, node) => total + count(node), 0);

const fixedList = (nodes: readonly Fixed[]): Fixed => ({
  fixed: true,
  value: freezeDeep(nodes.map((node) => node.value)),
  objects: 1 + sum(nodes, (node) => node.objects),
  units: sum(nodes, (node) => node.units),
  text: sum(nodes, (node) => node.text),
});

const madeList = (emits: readonly Emit[], limit: LimitName, pointer: string, least: number): Node => {
  const { max } = limitOf(limit);
  return made((run) => {
    spendOutput(run, 1, 2);
    if (run.leavesOut) {
      const fitting = gatherFitting(run, limit, pointer, (out) => emitAll(emits, run, out));
      return fitting.length < least ? undefined : fitting;
    }
    const out: unknown[] = [];
    for (const emit of emits) emit(run, out);
    if (out.length > max) noteProblem(run, overLimit(pointer, limit, out.length));
    return out.length < least ? undefined : out;
  });
};

/** A list of plain values may come from the data as a whole; it brings no structure. */
const listOfData = (
  text: string,
  context: ParseContext,
  limit: LimitName,
  test: ScalarTest,
): Node | undefined => {
  const whole = wholeValueOf(text, context);
  if (whole === undefined) return undefined;
  const { min = 0, max } = limitOf(limit);
  const accept = (run: Run, given: unknown): readonly unknown[] | undefined => {
    const values = (isList(given) ? given : [given]).filter((value) => value !== null && value !== '');
    if (run.leavesOut) noteOverflow(run, context.pointer, limit, values.length - max);
    else if (values.length > max) noteProblem(run, overLimit(context.pointer, limit, values.length));
    const wrong = values
      .slice(0, max)
      .map(test)
      .find((reason) => reason !== undefined);
    if (wrong !== undefined) {
      noteUnfit(run, whole.reference, context.pointer, {
        rule: 'value.type',
        reason: `holds what is ${wrong}.`,
      });
      return undefined;
    }
    spendOutput(run, 1 + values.length, values.length * 8);
    return values.length < min ? undefined : values.slice(0, max);
  };
  return made((run) => {
    const given = whole.read(run);
    return given === undefined ? undefined : accept(run, given);
  });
};

const parseWritten = (
  values: readonly unknown[],
  context: ParseContext,
  limit: LimitName,
  kind: ListKind,
): Node | undefined => {
  const { min = 0, max } = limitOf(limit);
  const isTooLong = values.length > max && !values.some(isDirective);
  if (isTooLong) context.parsing.problems.add(overLimit(context.pointer, limit, values.length));
  const lookedAt = isTooLong ? values.slice(0, LOOKED_AT * max) : values;
  const entries = parseEntries(lookedAt, context, { ...kind, room: max });
  if (values.length < min) context.parsing.problems.add(underLimit(context.pointer, limit, values.length));
  if (entries === undefined) return undefined;
  return entries.fixed === undefined
    ? madeList(entries.emits, limit, context.pointer, Math.max(min, kind.dropsEmptied ? 1 : 0))
    : fixedList(entries.fixed);
};

/** A list of entries of one kind, in which directives may stand. */
export const list = (limit: LimitName, kind: ListKind): Grammar => ({
  parse: (value, context) => {
    if (isList(value)) return parseWritten(value, context, limit, kind);
    const { item, bindable } = kind;
    const isPlaceholder = isPlaceholderText(value);
    if (isPlaceholder && item.test !== undefined) return listOfData(value, context, limit, item.test);
    if (bindable && isObject(value)) return parseBoundList(value, context, limit, item);
    const hint = 'Data brings no structure: write a list with an `#each` directive in it.';
    return reportType(context, 'a list', value, isPlaceholder ? hint : undefined);
  },
  describe: () => ({
    kind: 'list',
    limit,
    of: kind.item.describe(),
    ...(kind.item.test !== undefined && { whole: true }),
    ...(kind.bindable && { bound: true }),
  }),
});
