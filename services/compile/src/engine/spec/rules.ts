import { isList, isObject, type JsonObject } from '../json.ts';
import type { ProblemRule } from '../problem.ts';

/** What is wrong between the keys of an object. */
export interface Breach {
  readonly rule: ProblemRule;
  readonly message: string;
  /** The key without which the object is sound; none where the object cannot be shown at all. */
  readonly omit?: string;
}

/** Something that must hold between the keys of an object. */
export interface Rule {
  /** Whether the object as the template gives it can be tested, before any data. */
  readonly ofTemplate: boolean;
  readonly test: (value: JsonObject) => Breach | undefined;
  readonly describe: JsonObject;
}

const list = (keys: readonly string[]): string => keys.map((key) => `\`${key}\``).join(' or ');

/** At least one of the keys is there. */
export const atLeastOneOf = (...keys: readonly string[]): Rule => ({
  ofTemplate: true,
  test: (value) =>
    keys.some((key) => value[key] !== undefined)
      ? undefined
      : { rule: 'key.one_of', message: `needs ${list(keys)}` },
  describe: { at_least_one_of: keys },
});

/** Exactly one of the keys is there. */
export const exactlyOneOf = (...keys: readonly string[]): Rule => ({
  ofTemplate: true,
  test: (value) => {
    const given = keys.filter((key) => value[key] !== undefined);
    if (given.length === 1) return undefined;
    const message = given.length === 0 ? `needs ${list(keys)}` : `takes ${list(keys)}, not both`;
    return { rule: 'key.one_of', message };
  },
  describe: { exactly_one_of: keys },
});

/** Two names of one key, if both are given, say the same. */
export const sameIfBoth = (one: string, other: string): Rule => ({
  ofTemplate: true,
  test: (value) =>
    value[one] === undefined || value[other] === undefined || value[one] === value[other]
      ? undefined
      : { rule: 'id.conflict', message: `takes \`${one}\` or \`${other}\`, not two different ones` },
  describe: { same_if_both: [one, other] },
});

/** The whole option, whatever the order of its keys: the platform compares no less. */
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

/** What is chosen at first is among the options: the platform refuses the whole message otherwise. */
export const initialIsOffered = (key: 'initial_option' | 'initial_options'): Rule => ({
  ofTemplate: false,
  test: (select) => {
    const initial = select[key];
    if (initial === undefined) return undefined;
    const offered = offeredValues(select);
    const chosen = key === 'initial_option' ? [initial] : entriesOf(initial);
    if (chosen.every((option) => offered.has(optionKey(option)))) return undefined;
    return { rule: 'value.not_offered', message: `\`${key}\` is none of its options`, omit: key };
  },
  describe: { among_the_options: key },
});
