import { numberOf } from '../expressions/filters/filter.ts';
import { momentOf } from '../expressions/filters/moment.ts';
import { isPlaceholderText, wholeValueOf } from '../expressions/placeholders/value.ts';
import { isObject, jsonTypeOf } from '../json.ts';
import { type LimitName, limitOf } from '../limits.ts';
import type { Grammar, ScalarTest } from '../parse/grammar.ts';
import { hintNearest } from '../parse/nearest.ts';
import { fixed, made, type Node } from '../parse/node.ts';
import { type ParseContext, report } from '../parse/parse-context.ts';
import { UnknownPerson } from '../run/people.ts';
import { noteUnfit } from '../run/run.ts';

/** Names a value in a message. */
type Namer = (value: unknown) => string;

/** A value of the data: its JSON type, and of a text its length, since messages never quote data. */
const nameOfData: Namer = (value) =>
  typeof value === 'string' ? `a text of ${value.length} characters` : jsonTypeOf(value);

/** A value that the template writes. */
const nameOfWritten: Namer = (value) => {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 39)}…` : value);
  return typeof value === 'number' ? String(value) : jsonTypeOf(value);
};

interface ScalarOptions {
  readonly hintFor?: (value: unknown) => { hint?: string };
  /** The scalar kind of a value of the data. */
  readonly convert?: (value: unknown) => unknown;
  /** A person who is not known comes out as an {@link UnknownPerson}, for the object around to replace. */
  readonly keepsUnknown?: boolean;
  readonly isNumber?: boolean;
}

const scalar = (
  /** What a value should be, in words that follow "not"; undefined for a valid one. */
  wants: (value: unknown) => string | undefined,
  describe: Grammar['describe'],
  {
    hintFor = () => ({}),
    convert = (value) => value,
    keepsUnknown = false,
    isNumber = false,
  }: ScalarOptions = {},
): Grammar => {
  const test: ScalarTest = (value) => {
    const wanted = wants(value);
    return wanted && `${nameOfData(value)}, not ${wanted}`;
  };
  const parseWritten = (value: unknown, context: ParseContext): Node | undefined => {
    const wanted = wants(value);
    if (wanted === undefined) return fixed(value);
    const rule = typeof value === 'string' ? 'value.choice' : 'value.type';
    return report(context, rule, `This is ${nameOfWritten(value)}, not ${wanted}.`, hintFor(value));
  };
  return {
    test,
    describe,
    parse: (value, context) => {
      if (!isPlaceholderText(value)) return parseWritten(value, context);
      const whole = wholeValueOf(value, context, isNumber);
      if (whole === undefined) return undefined;
      const { reference, read } = keepsUnknown ? { ...whole, read: whole.readPerson } : whole;
      return made((run) => {
        const given = convert(read(run));
        if (given === undefined || given instanceof UnknownPerson) return given;
        // A form that was not filled in sends one; in texts it is nothing as well.
        if (given === '') return undefined;
        const wrong = test(given);
        if (wrong === undefined) return given;
        const rule = isObject(given) ? 'value.object' : 'value.type';
        noteUnfit(run, reference, context.pointer, { rule, reason: `is ${wrong}.` });
        return undefined;
      });
    },
  };
};

/** True or false. */
export const flag: Grammar = scalar(
  (value) => (typeof value === 'boolean' ? undefined : 'true or false'),
  () => ({ kind: 'boolean' }),
);

/** Values that a message lists; more of them are found in the block schema. */
const LISTED = 12;

/** One of a closed list of values. */
export const choice = (...values: readonly (string | number)[]): Grammar => {
  const listed =
    values.length > LISTED
      ? `one of the ${values.length} values that the block schema lists`
      : `one of ${values.join(', ')}`;
  return scalar(
    (value) => (values.some((known) => known === value) ? undefined : listed),
    () => ({ kind: 'choice', values }),
    {
      hintFor: (value) => (typeof value === 'string' ? hintNearest(value, values.map(String)) : {}),
    },
  );
};

/** A whole number, within a limit where one is named. Its words and what makes it of a value of the data may be others. */
const wholeNumber = (
  limit: LimitName | undefined,
  wordsFor: (min: number, max: number) => string,
  options?: ScalarOptions,
): Grammar => {
  const { min = 0, max } = limit === undefined ? { max: Number.MAX_SAFE_INTEGER } : limitOf(limit);
  return scalar(
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
        ? undefined
        : wordsFor(min, max),
    () => ({ kind: 'integer', ...(limit && { limit }) }),
    { ...options, isNumber: true },
  );
};

/** A whole number, within a limit where one is named. */
export const integer = (limit?: LimitName): Grammar =>
  wholeNumber(limit, (min, max) => `a whole number from ${min} to ${max}`);

const secondsOf = (value: unknown): unknown => {
  const moment = momentOf(value);
  return moment === undefined || moment.isDate ? value : Math.floor(moment.at / 1000);
};

/** A moment in whole seconds since 1970. Data may give it in any form of a moment that has a time. */
export const moment = (limit?: LimitName): Grammar =>
  wholeNumber(
    limit,
    (min, max) => `a moment: seconds since 1970 from ${min} to ${max}; of data also ISO 8601 with a time`,
    { convert: secondsOf },
  );

/** A finite number, above another where that is given. A text of the data that is a number counts as one. */
export const number = (above?: number): Grammar =>
  scalar(
    (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'a number';
      return above === undefined || value > above ? undefined : `above ${above}`;
    },
    () => ({ kind: 'number', ...(above !== undefined && { above }) }),
    { convert: (value) => numberOf(value) ?? value, isNumber: true },
  );

const wantsWord = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? undefined : 'a text with something in it';
const describeWord: Grammar['describe'] = () => ({ kind: 'string' });

/** A plain text inside a list of such, as ids of users are. */
export const word: Grammar = scalar(wantsWord, describeWord);

/** The name of an emoji. Data may have it between colons, as people write it and the platform gives it. */
export const emojiName: Grammar = scalar(wantsWord, describeWord, {
  convert: (value) => (typeof value === 'string' ? value.replace(/^:(.+):$/, '$1') : value),
});

/** The id of a person, in an object that can stand there without one: a person who is not known is kept as such. */
export const personId: Grammar = scalar(wantsWord, describeWord, { keepsUnknown: true });
