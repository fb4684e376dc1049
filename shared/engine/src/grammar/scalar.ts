import { numberOf } from '../expressions/filters/filter.ts';
import { isPlaceholderText, wholeValueOf } from '../expressions/placeholders/value.ts';
import { isObject, jsonTypeOf } from '../json.ts';
import { type LimitName, limitOf } from '../limits.ts';
import { hintNearest } from '../parse/nearest.ts';
import { fixed, made } from '../parse/node.ts';
import { report } from '../parse/parse-context.ts';
import { UnknownPerson } from '../run/people.ts';
import { noteUnfit } from '../run/run.ts';
import type { Grammar, ScalarTest } from './grammar.ts';

interface ScalarOptions {
  readonly hintFor?: (value: unknown) => { hint?: string };
  /** The scalar kind of a value of the data. */
  readonly convert?: (value: unknown) => unknown;
  /** A person who is not known comes out as an {@link UnknownPerson}, for the object around to replace. */
  readonly keepsUnknown?: boolean;
}

const scalar = (
  test: ScalarTest,
  describe: Grammar['describe'],
  { hintFor = () => ({}), convert = (value) => value, keepsUnknown = false }: ScalarOptions = {},
): Grammar => ({
  test,
  describe,
  parse: (value, context) => {
    if (!isPlaceholderText(value)) {
      const wrong = test(value);
      if (wrong === undefined) return fixed(value);
      return report(
        context,
        typeof value === 'string' ? 'value.choice' : 'value.type',
        `This is ${wrong}.`,
        hintFor(value),
      );
    }
    const whole = wholeValueOf(value, context);
    if (whole === undefined) return undefined;
    const { reference, read } = keepsUnknown ? { ...whole, read: whole.readPerson } : whole;
    return made((run) => {
      const given = convert(read(run));
      if (given === undefined || given instanceof UnknownPerson) return given;
      const wrong = test(given);
      if (wrong === undefined) return given;
      const rule = isObject(given) ? 'value.object' : 'value.type';
      noteUnfit(run, reference, context.pointer, { rule, reason: `is ${wrong}.` });
      return undefined;
    });
  },
});

const found = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : jsonTypeOf(value);

/** True or false. */
export const flag: Grammar = scalar(
  (value) => (typeof value === 'boolean' ? undefined : `${found(value)}, not true or false`),
  () => ({ kind: 'boolean' }),
);

/** One of a few values. */
export const choice = (...values: readonly (string | number)[]): Grammar =>
  scalar(
    (value) =>
      values.some((known) => known === value)
        ? undefined
        : `${found(value)}, not one of ${values.join(', ')}`,
    () => ({ kind: 'choice', values }),
    {
      hintFor: (value) => (typeof value === 'string' ? hintNearest(value, values.map(String)) : {}),
    },
  );

/** A whole number, within a limit where one is named. */
export const integer = (limit?: LimitName): Grammar => {
  const { min = 0, max } = limit === undefined ? { max: Number.MAX_SAFE_INTEGER } : limitOf(limit);
  return scalar(
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? undefined
        : `${typeof value === 'number' ? value : found(value)}, not a whole number from ${min} to ${max}`,
    () => ({ kind: 'integer', ...(limit && { limit }) }),
  );
};

/** A finite number, above another where that is given. A text of the data that is a number counts as one. */
export const number = (above?: number): Grammar =>
  scalar(
    (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) return `${found(value)}, not a number`;
      return above === undefined || value > above ? undefined : `${value}, not above ${above}`;
    },
    () => ({ kind: 'number', ...(above !== undefined && { above }) }),
    { convert: (value) => numberOf(value) ?? value },
  );

const isWord: ScalarTest = (value) =>
  typeof value === 'string' && value !== '' ? undefined : `${found(value)}, not a text`;
const describeWord: Grammar['describe'] = () => ({ kind: 'string' });

/** A plain text inside a list of such, as ids of users are. */
export const word: Grammar = scalar(isWord, describeWord);

/** The id of a person, in an object that can stand there without one: a person who is not known is kept as such. */
export const personId: Grammar = scalar(isWord, describeWord, { keepsUnknown: true });
