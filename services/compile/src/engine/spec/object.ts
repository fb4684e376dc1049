import { freezeDeep, isObject, type JsonObject } from '../json.ts';
import { hintNearest } from '../nearest.ts';
import { type Made, made, type Part } from '../part.ts';
import { type Place, placeIn, report, reportType } from '../place.ts';
import { type Run, spendOutput, warn } from '../run.ts';
import type { Rule } from './rules.ts';
import type { Spec } from './spec.ts';

/** One key of an object. */
export interface Field {
  readonly spec: Spec;
  /** The key must be given. */
  readonly required: boolean;
  /** Where it comes out empty: `drop` leaves out the whole object, `omit` the key alone. */
  readonly whenEmpty: 'drop' | 'omit';
  /** The key in the output, where that is another. */
  readonly as?: string;
}

/** The keys of an object and what must hold between them. */
export interface Shape {
  readonly fields: Readonly<Record<string, Field>>;
  readonly rules?: readonly Rule[];
}

/** A key that must be given and must come out with a value. */
export const required = (spec: Spec): Field => ({ spec, required: true, whenEmpty: 'drop' });
/** A key that may be left out. */
export const optional = (spec: Spec): Field => ({ spec, required: false, whenEmpty: 'omit' });
/** A key that may be left out; but an object that has it is not shown without it. */
export const guarding = (spec: Spec): Field => ({ spec, required: false, whenEmpty: 'drop' });

interface Entry {
  readonly key: string;
  readonly part: Part;
  readonly whenEmpty: Field['whenEmpty'];
}

const costOf = (entries: readonly Entry[]) => {
  const cost = { nodes: 1, units: 0, text: 0 };
  for (const { key, part } of entries) {
    cost.units += key.length + 6;
    if (!part.fixed) continue;
    cost.nodes += part.nodes;
    cost.units += part.units;
    cost.text += part.text;
  }
  return cost;
};

const withoutEmpty = (value: JsonObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));

/** Holds a made object against its rules: leaves out a key, or the whole object where no key would do. */
const keepRules = (
  run: Run,
  value: Record<string, unknown>,
  rules: readonly Rule[],
  pointer: string,
  what: string,
): JsonObject | undefined => {
  for (const rule of rules) {
    const breach = rule.test(value);
    if (breach === undefined) continue;
    if (breach.omit === undefined) {
      warn(run, 'empty.dropped', pointer, `the ${what} is left out: it ${breach.message}.`);
      return undefined;
    }
    warn(run, 'value.not_offered', pointer, `${breach.message} of the ${what}, so it is left out.`);
    delete value[breach.omit];
  }
  return value;
};

const makerOf = (entries: readonly Entry[], rules: readonly Rule[], pointer: string, what: string): Made => {
  const { nodes, units, text } = costOf(entries);
  const base: Record<string, unknown> = Object.fromEntries(
    entries.map(({ key, part }) => [key, part.fixed ? part.value : undefined]),
  );
  const dynamic = entries.flatMap(({ key, part, whenEmpty }) =>
    part.fixed ? [] : [{ key, make: part.make, drops: whenEmpty === 'drop' }],
  );
  return made((run) => {
    spendOutput(run, nodes, units);
    run.text += text;
    const out = { ...base };
    let empty = false;
    let dropped: string | undefined;
    for (const { key, make, drops } of dynamic) {
      const value = make(run);
      if (value !== undefined) {
        out[key] = value;
        continue;
      }
      empty = true;
      if (drops) dropped ??= key;
    }
    if (dropped !== undefined) {
      return warn(
        run,
        'empty.dropped',
        pointer,
        `the ${what} is left out, because its \`${dropped}\` came out empty.`,
      );
    }
    if (!empty && rules.length === 0) return out;
    return keepRules(run, empty ? withoutEmpty(out) : out, rules, pointer, what);
  });
};

const isFixedEntry = ({ part }: Entry): boolean => part.fixed;

const build = (
  entries: readonly Entry[],
  rules: readonly Rule[],
  place: Place,
  what: string,
): Part | undefined => {
  if (!entries.every(isFixedEntry)) return makerOf(entries, rules, place.pointer, what);
  const value = freezeDeep(
    Object.fromEntries(entries.map(({ key, part }) => [key, part.fixed ? part.value : undefined])),
  );
  for (const rule of rules) {
    const breach = rule.ofTemplate ? undefined : rule.test(value);
    if (breach === undefined) continue;
    const at = breach.omit === undefined ? place : placeIn(place, breach.omit);
    return report(at, breach.rule, `${breach.message} of the ${what}.`);
  }
  return { fixed: true, value, ...costOf(entries) };
};

/** Tells what is missing before any data is seen. */
const checkTemplate = (value: JsonObject, shape: Shape, place: Place, what: string): boolean => {
  let sound = true;
  for (const [key, field] of Object.entries(shape.fields)) {
    if (!field.required || Object.hasOwn(value, key)) continue;
    report(place, 'required', `A ${what} needs the key \`${key}\`.`);
    sound = false;
  }
  for (const rule of shape.rules ?? []) {
    const breach = rule.ofTemplate ? rule.test(value) : undefined;
    if (breach === undefined) continue;
    report(place, breach.rule, `A ${what} ${breach.message}.`);
    sound = false;
  }
  return sound;
};

/**
 * Parses an object by its shape, key by key in the order given.
 *
 * A key that the platform does not know is refused: it would refuse the whole message for it, and most are misspelt.
 *
 * @param what what the object is, for messages: "section block"
 */
export const parseObject = (value: unknown, shape: Shape, place: Place, what: string): Part | undefined => {
  if (!isObject(value)) return reportType(place, `a ${what}`, value);
  let sound = checkTemplate(value, shape, place, what);
  const entries: Entry[] = [];
  for (const [key, given] of Object.entries(value)) {
    const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
    const at = placeIn(place, key);
    if (field === undefined) {
      report(
        at,
        'key.unknown',
        `A ${what} has no key \`${key.slice(0, 80)}\`.`,
        hintNearest(key, Object.keys(shape.fields)),
      );
      sound = false;
      continue;
    }
    const part = field.spec.parse(given, at);
    if (part === undefined) sound = false;
    else entries.push({ key: field.as ?? key, part, whenEmpty: field.whenEmpty });
  }
  return sound ? build(entries, shape.rules ?? [], place, what) : undefined;
};

/** A shape as `block-schema` shows it. */
export const describeShape = ({ fields, rules = [] }: Shape): JsonObject => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [
      key,
      { required: field.required, ...field.spec.describe() },
    ]),
  ),
  ...(rules.length > 0 && { rules: rules.map((rule) => rule.describe) }),
});

/** An object that is known by its place, not by a `type`. */
export const object = (what: string, shape: Shape): Spec => ({
  parse: (value, place) => parseObject(value, shape, place, what),
  describe: () => ({ kind: 'object', ...describeShape(shape) }),
});
