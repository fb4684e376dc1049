import { parseBoundList } from '../blocks/bound/source.ts';
import { parseDirective } from '../directives/directive.ts';
import { isPlaceholderText, wholeValueOf } from '../expressions/placeholders/value.ts';
import { freezeDeep, isList, isObject, type JsonObject } from '../json.ts';
import { type LimitName, limitOf } from '../limits.ts';
import { type Emit, type Fixed, made, type Part } from '../parse/node.ts';
import { overLimit, type Place, placeIn, reportType, underLimit } from '../parse/parse-context.ts';
import { noteProblem, noteUnfit, type Run, spendOutput } from '../run/run.ts';
import type { ScalarTest, Spec } from './spec.ts';

/** What the entries of a list are. */
export interface ListKind {
  readonly item: Spec;
  /** How the list says that there are more items than it shows, around a text; without it the list cannot. */
  readonly note?: (text: unknown) => unknown;
  /** The list may also be `{source, item}`: an item for each of a list of the data. */
  readonly bindable?: true;
  /** A list that the template fills and that comes out empty is nothing, though the platform takes an empty one. */
  readonly dropsEmptied?: true;
  /** What stands where an item came out empty, in lists whose items belong to places. */
  readonly gap?: unknown;
}

const emitterOf = (part: Part, gap: unknown): Emit => {
  if (!part.fixed) {
    return (run, out) => {
      const value = part.make(run) ?? gap;
      if (value !== undefined) out.push(value);
    };
  }
  const { value, nodes, units, text } = part;
  return (run, out) => {
    spendOutput(run, nodes, units);
    run.text += text;
    out.push(value);
  };
};

/** The entries of a list, parsed: what emits them, and what they are where no data can change them. */
export interface Entries {
  readonly emits: readonly Emit[];
  readonly fixed: readonly Fixed[] | undefined;
}

/** How far beyond its limit a list is still searched for other problems; a longer one was made to take long. */
const LOOKED_AT = 4;

const isDirective = (value: unknown): value is JsonObject => isObject(value) && value.type === 'directive';

/** Parses the entries of a list, of which any may be a directive. Undefined when one is wrong. */
export const parseEntries = (
  values: readonly unknown[],
  place: Place,
  kind: ListKind,
): Entries | undefined => {
  const emits: Emit[] = [];
  const parts: Fixed[] = [];
  let sound = true;
  values.forEach((value, index) => {
    const at = placeIn(place, index);
    if (isDirective(value)) {
      const emit = parseDirective(value, at, { ...kind, parseChildren: parseEntries });
      if (emit === undefined) sound = false;
      else emits.push(emit);
      return;
    }
    const part = kind.item.parse(value, at);
    if (part === undefined) sound = false;
    else {
      emits.push(emitterOf(part, kind.gap));
      if (part.fixed) parts.push(part);
    }
  });
  if (!sound) return undefined;
  return { emits, fixed: parts.length === values.length ? parts : undefined };
};

const sum = (parts: readonly Fixed[], count: (part: Fixed) => number): number =>
  parts.reduce((total, part) => total + count(part), 0);

const fixedList = (parts: readonly Fixed[]): Fixed => ({
  fixed: true,
  value: freezeDeep(parts.map((part) => part.value)),
  nodes: 1 + sum(parts, (part) => part.nodes),
  units: sum(parts, (part) => part.units),
  text: sum(parts, (part) => part.text),
});

const madeList = (emits: readonly Emit[], limit: LimitName, pointer: string, least: number): Part => {
  const { max } = limitOf(limit);
  return made((run) => {
    spendOutput(run, 1, 2);
    const out: unknown[] = [];
    for (const emit of emits) emit(run, out);
    if (out.length > max) noteProblem(run, overLimit(pointer, limit, out.length));
    return out.length < least ? undefined : out;
  });
};

/** A list of plain values may come from the data as a whole; it brings no structure. */
const listOfData = (text: string, place: Place, limit: LimitName, test: ScalarTest): Part | undefined => {
  const whole = wholeValueOf(text, place);
  if (whole === undefined) return undefined;
  const { min = 0, max } = limitOf(limit);
  const accept = (run: Run, given: unknown): readonly unknown[] | undefined => {
    const values = isList(given) ? given : [given];
    if (values.length > max) noteProblem(run, overLimit(place.pointer, limit, values.length));
    const wrong = values
      .slice(0, max)
      .map(test)
      .find((reason) => reason !== undefined);
    if (wrong !== undefined) {
      noteUnfit(run, whole.reference, place.pointer, {
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
  place: Place,
  limit: LimitName,
  kind: ListKind,
): Part | undefined => {
  const { min = 0, max } = limitOf(limit);
  const isTooLong = values.length > max && !values.some(isDirective);
  if (isTooLong) place.parsing.problems.add(overLimit(place.pointer, limit, values.length));
  const entries = parseEntries(isTooLong ? values.slice(0, LOOKED_AT * max) : values, place, kind);
  if (values.length < min) place.parsing.problems.add(underLimit(place.pointer, limit, values.length));
  if (entries === undefined) return undefined;
  return entries.fixed === undefined
    ? madeList(entries.emits, limit, place.pointer, Math.max(min, kind.dropsEmptied ? 1 : 0))
    : fixedList(entries.fixed);
};

/** A list of entries of one kind, in which directives may stand. */
export const list = (limit: LimitName, kind: ListKind): Spec => ({
  parse: (value, place) => {
    if (isList(value)) return parseWritten(value, place, limit, kind);
    const { item, bindable } = kind;
    const isPlaceholder = isPlaceholderText(value);
    if (isPlaceholder && item.test !== undefined) return listOfData(value, place, limit, item.test);
    if (bindable && isObject(value)) return parseBoundList(value, place, limit, item);
    const hint = 'Data brings no structure: write a list with an `#each` directive in it.';
    return reportType(place, 'a list', value, isPlaceholder ? hint : undefined);
  },
  describe: () => ({
    kind: 'list',
    limit,
    of: kind.item.describe(),
    ...(kind.item.test !== undefined && { whole: true }),
    ...(kind.bindable && { bound: true }),
  }),
});
