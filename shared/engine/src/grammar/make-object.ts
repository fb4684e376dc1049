import type { JsonObject } from '../json.ts';
import { indefinite } from '../parse/article.ts';
import { type Made, made, type Node } from '../parse/node.ts';
import { type Run, spendOutput, warn } from '../run/run.ts';
import { assemblerOfMany, assemblerOfOne, assemblerOfTwo, type Slot } from './assemble.ts';
import type { Rule } from './rules.ts';

/** One key of an object with its node. */
export interface Entry {
  readonly key: string;
  readonly node: Node;
  /** When its value is empty: `drop` omits the whole object, `omit` only the key. */
  readonly whenEmpty: 'drop' | 'omit';
}

/** Bytes next to a key: its quotes, a colon, a comma, the quotes of its value. */
const marksOfKey = 6;
/** Bytes that a unit of text takes at most; keys are ASCII, so that as many of their units count as one. */
const bytesOfUnit = 6;

/** The cost of the fixed part of an object. */
export const costOf = (entries: readonly Entry[]) => {
  const cost = { objects: 1, units: 0, text: 0 };
  for (const { key, node } of entries) {
    cost.units += Math.ceil((key.length + marksOfKey) / bytesOfUnit);
    if (!node.fixed) continue;
    cost.objects += node.objects;
    cost.units += node.units;
    cost.text += node.text;
  }
  return cost;
};

const withoutEmpty = (value: JsonObject): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));

/** Checks a made object against its rules: leaves out a key, or the whole object where no key would do. */
const keepRules = (
  run: Run,
  value: Record<string, unknown>,
  rules: readonly Rule[],
  pointer: string,
  what: string,
): JsonObject | undefined => {
  for (const rule of rules) {
    const breach = rule.of === 'template' ? undefined : rule.test(value);
    if (breach === undefined) continue;
    if (breach.omit === undefined) {
      warn(run, 'empty.dropped', pointer, `the ${what} is left out: it ${breach.message}.`);
      return undefined;
    }
    warn(run, 'value.not_offered', pointer, `in ${indefinite(what)}, ${breach.message}; it is left out.`);
    if (breach.kept === undefined) delete value[breach.omit];
    else value[breach.omit] = breach.kept;
  }
  return value;
};

/** Facts common to all objects of a shape. */
export interface Nature {
  readonly rules: readonly Rule[];
  /** The name of the object in messages. */
  readonly what: string;
  /** An object that came out empty is reported by its parent. */
  readonly silent: boolean;
}

/** The common context of the makers of one object. */
interface Making extends Nature {
  readonly slots: readonly Slot[];
  readonly open: readonly Open[];
  /** The rules that data can break even where nothing comes out empty. */
  readonly always: readonly Rule[];
  readonly objects: number;
  readonly units: number;
  readonly text: number;
  readonly pointer: string;
}

/** A key whose value is made in each run. */
interface Open {
  readonly key: string;
  readonly make: Made['make'];
  readonly drops: boolean;
}

/** The object where keys of it came out empty: without them, or nothing. */
const withGaps = (run: Run, making: Making, built: JsonObject): unknown => {
  const { open, rules, pointer, what, silent } = making;
  const dropping = open.find(({ key, drops }) => drops && built[key] === undefined);
  if (dropping === undefined) return keepRules(run, withoutEmpty(built), rules, pointer, what);
  if (silent) return undefined;
  const story = `the ${what} is left out, because its \`${dropping.key}\` came out empty.`;
  return warn(run, 'empty.dropped', pointer, story);
};

const spendFor = (run: Run, { objects, units, text }: Making): void => {
  spendOutput(run, objects, units);
  run.text += text;
};

const makeOne = (making: Making, { key, make }: Open): Made => {
  const { slots, always, pointer, what } = making;
  const assemble = assemblerOfOne(slots, key);
  return made((run) => {
    spendFor(run, making);
    const value = make(run);
    const built = assemble(value);
    if (value === undefined) return withGaps(run, making, built);
    return always.length === 0 ? built : keepRules(run, built, always, pointer, what);
  });
};

const makeTwo = (making: Making, first: Open, second: Open): Made => {
  const { slots, always, pointer, what } = making;
  const assemble = assemblerOfTwo(slots, first.key, second.key);
  return made((run) => {
    spendFor(run, making);
    const one = first.make(run);
    const other = second.make(run);
    const built = assemble(one, other);
    if (one === undefined || other === undefined) return withGaps(run, making, built);
    return always.length === 0 ? built : keepRules(run, built, always, pointer, what);
  });
};

const makeMany = (making: Making): Made => {
  const { slots, open, always, pointer, what } = making;
  const assemble = assemblerOfMany(slots);
  return made((run) => {
    spendFor(run, making);
    const values = open.map(({ make }) => make(run));
    const built = assemble(values);
    if (values.includes(undefined)) return withGaps(run, making, built);
    return always.length === 0 ? built : keepRules(run, built, always, pointer, what);
  });
};

/** Compiles an object in which some keys are made in each run. */
export const makerOf = (entries: readonly Entry[], nature: Nature, pointer: string): Made => {
  const slots = entries.map(({ key, node }) => ({
    key,
    value: node.fixed ? node.value : undefined,
    open: !node.fixed,
  }));
  const open = entries.flatMap(({ key, node, whenEmpty }) =>
    node.fixed ? [] : [{ key, make: node.make, drops: whenEmpty === 'drop' }],
  );
  // Rules on given keys were checked by the parse; only a given key that comes out empty can break them.
  const always = nature.rules.filter(({ of }) => of === 'value');
  const making: Making = { ...nature, slots, open, always, pointer, ...costOf(entries) };
  const [first, second] = open;
  if (first !== undefined && open.length === 1) return makeOne(making, first);
  if (first !== undefined && second !== undefined && open.length === 2) return makeTwo(making, first, second);
  return makeMany(making);
};
