import { isList, isObject, type JsonObject } from '../json.ts';
import type { ProblemRule } from '../run/problem.ts';
import { codePoints } from '../text/cut.ts';

/** A breach of a rule between the keys of an object. */
export interface Breach {
  readonly rule: ProblemRule;
  readonly message: string;
  /** The key without which the object is sound; none where the object cannot be shown at all. */
  readonly omit?: string;
  /** What is sound of the value of that key, where something is: it stays. */
  readonly kept?: unknown;
  /** The place of the breach inside the object, as in the template. */
  readonly at?: readonly (string | number)[];
}

/** Something that must hold between the keys of an object. */
export interface Rule {
  /**
   * What it is about: the object as the `template` gives it, before any data; the `value` that is made of it; `given`,
   * the template and, where keys came out empty, what is left of it.
   */
  readonly of: 'template' | 'value' | 'given';
  readonly test: (value: JsonObject) => Breach | undefined;
  readonly describe: JsonObject;
}

const list = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(' or ');

/** At least one of the keys is there. */
export const atLeastOneOf = (...keys: readonly string[]): Rule => ({
  of: 'given',
  test: (value) =>
    keys.some((key) => value[key] !== undefined)
      ? undefined
      : { rule: 'key.one_of', message: `needs ${list(keys)}` },
  describe: { at_least_one_of: keys },
});

/** Exactly one of the keys is there. */
export const exactlyOneOf = (...keys: readonly string[]): Rule => ({
  of: 'given',
  test: (value) => {
    const given = keys.filter((key) => value[key] !== undefined);
    if (given.length === 1) return undefined;
    const message = given.length === 0 ? `needs ${list(keys)}` : `takes ${list(keys)}, not both`;
    return { rule: 'key.one_of', message };
  },
  describe: { exactly_one_of: keys },
});

/** Two names of one key, if both are given, have the same value. */
export const sameIfBoth = (one: string, other: string): Rule => ({
  of: 'given',
  test: (value) =>
    value[one] === undefined || value[other] === undefined || value[one] === value[other]
      ? undefined
      : { rule: 'id.conflict', message: `takes \`${one}\` or \`${other}\`, not two different ones` },
  describe: { same_if_both: [one, other] },
});

/**
 * The lesser of two values is not above the greater, where both are given; numbers may be written as text.
 *
 * @param omit the key without which the object is sound
 */
export const inOrder = (low: string, high: string, omit = low): Rule => ({
  of: 'value',
  test: (value) =>
    value[low] === undefined || value[high] === undefined || Number(value[low]) <= Number(value[high])
      ? undefined
      : { rule: 'value.form', message: `\`${low}\` is above the \`${high}\``, omit },
  describe: { in_order: [low, high] },
});

/** A number, written as text, is a whole one unless a flag is true. */
export const wholeUnless = (key: string, flag: string): Rule => ({
  of: 'value',
  test: (value) =>
    value[flag] === true || value[key] === undefined || Number.isInteger(Number(value[key]))
      ? undefined
      : { rule: 'value.form', message: `\`${key}\` has decimals, which need \`${flag}: true\``, omit: key },
  describe: { whole_unless: [key, flag] },
});

/** A text that a field begins with has a length that a reader could give it. */
export const lengthWithin = (key: string, least: string, most: string): Rule => ({
  of: 'value',
  test: (value) => {
    const { [key]: text, [least]: min, [most]: max } = value;
    // An empty text is a field to fill in.
    if (typeof text !== 'string' || text === '') return undefined;
    const length = codePoints(text);
    if (typeof max === 'number' && length > max) {
      const message = `\`${key}\` has ${length} characters, more than the \`${most}\` ${max}`;
      return { rule: 'value.form', message, omit: key };
    }
    if (typeof min !== 'number' || length >= min) return undefined;
    const message = `\`${key}\` has ${length} characters, fewer than the \`${least}\` ${min}`;
    return { rule: 'value.form', message, omit: key };
  },
  describe: { length_within: [key, least, most] },
});

/** A menu begins with as many choices as it takes. */
export const initialsFit = (key: string): Rule => ({
  of: 'value',
  test: (select) => {
    const { [key]: initial, max_selected_items: max } = select;
    const count = entriesOf(initial).length;
    if (typeof max !== 'number' || count <= max) return undefined;
    const message = `\`${key}\` has ${count} entries, more than the \`max_selected_items\` ${max}`;
    return { rule: 'value.form', message, omit: key };
  },
  describe: { fits: [key, 'max_selected_items'] },
});

/** A key may be true only next to another that is true (or, with `false`, that is not true). */
export const needsFlag = (key: string, flag: string, wanted = true): Rule => ({
  of: 'value',
  test: (value) =>
    value[key] !== true || (value[flag] === true) === wanted
      ? undefined
      : {
          rule: 'key.one_of',
          message: `\`${key}\` ${wanted ? 'needs' : 'cannot stand beside'} \`${flag}\``,
          omit: key,
        },
  describe: { [wanted ? 'needs' : 'excludes']: [key, flag] },
});

/** At most one of two keys is there. */
export const notBoth = (one: string, other: string): Rule => ({
  of: 'given',
  test: (value) =>
    value[one] === undefined || value[other] === undefined
      ? undefined
      : { rule: 'key.one_of', message: `takes \`${one}\` or \`${other}\`, not both` },
  describe: { at_most_one_of: [one, other] },
});

/** The whole option, whatever the order of its keys: the platform compares whole options. */
const optionKey = (option: unknown): string =>
  JSON.stringify(option, (_, value: unknown) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  ) ?? '';

const entriesOf = (value: unknown): readonly unknown[] => (isList(value) ? value : []);

const offeredValues = (select: JsonObject): Set<unknown> => {
  const groups = entriesOf(select.option_groups).flatMap((group) =>
    isObject(group) ? entriesOf(group.options) : [],
  );
  return new Set([...entriesOf(select.options), ...groups].map(optionKey));
};

/** Initial choices are among the options; otherwise the platform refuses the whole message. */
export const initialIsOffered = (key: 'initial_option' | 'initial_options'): Rule => ({
  of: 'value',
  test: (select) => {
    const initial = select[key];
    if (initial === undefined) return undefined;
    const offered = offeredValues(select);
    const chosen = key === 'initial_option' ? [initial] : entriesOf(initial);
    const kept = chosen.filter((option) => offered.has(optionKey(option)));
    if (kept.length === chosen.length) return undefined;
    if (kept.length > 0) {
      const message = `\`${key}\` holds what is none of the options`;
      return { rule: 'value.not_offered', message, omit: key, kept };
    }
    return { rule: 'value.not_offered', message: `\`${key}\` is none of the options`, omit: key };
  },
  describe: { among_the_options: key },
});
