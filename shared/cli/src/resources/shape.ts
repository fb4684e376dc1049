import { nearestName } from '@stanza/engine';
import { isObject, type JsonObject } from '../files/canonical.ts';
import { isLocale, isTimeZone } from '../templates/settings.ts';

/** What JSON in a file may be. */
export interface Shape<T> {
  /** Says what is wrong with a value, and where; undefined where nothing is. */
  problem(value: unknown, at: string): string | undefined;
  is(value: unknown): value is T;
}

const shape = <T>(problem: Shape<T>['problem']): Shape<T> => ({
  problem,
  is: (value): value is T => problem(value, '') === undefined,
});

const simple = <T>(what: string, fits: (value: unknown) => boolean): Shape<T> =>
  shape((value, at) => (fits(value) ? undefined : `${at} is to be ${what}`));

/** A text that says something. */
export const text = simple<string>('a text', (value) => typeof value === 'string' && value.trim() !== '');

/** A text that fits; a variable that is not set, whose name stands there, may. */
const fitting = (what: string, fits: (value: string) => boolean): Shape<string> =>
  simple<string>(what, (value) => typeof value === 'string' && (/^\$\w+$/.test(value) || fits(value)));

/** A time zone. */
export const timezone = fitting('an IANA time zone, like Europe/Berlin', isTimeZone);

/** The language of a message. */
export const messageLocale = fitting(
  'a BCP 47 locale, like en-GB, or `recipient`',
  (value) => value === 'recipient' || isLocale(value),
);

/** The value of a header. */
export const headerValue = fitting('printable ASCII in one line', (value) =>
  /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value),
);

/** The numbers that the fields of a cron may have. */
const cronFields = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

const isCronField = (field: string, [least, most]: readonly [number, number]): boolean =>
  (field.match(/\d+/g) ?? []).every((number) => Number(number) >= least && Number(number) <= most);

/** The times of what recurs; the API checks it whole. */
export const cron = fitting(
  'five fields with one space between: minute, hour, day of the month, month, day of the week, as `0 9 * * 1-5`',
  (value) => {
    const fields = value.split(' ');
    return (
      /^@[a-z]+$/.test(value) ||
      (fields.length === 5 && cronFields.every((it, at) => isCronField(fields[at] ?? '', it)))
    );
  },
);

/** Where something is sent to. */
export const webAddress = fitting(
  'an address that begins with https:// or http://',
  (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
);

/** A whole number in bounds. */
export const whole = (min: number, max: number): Shape<number> =>
  simple<number>(
    `a whole number from ${min} to ${max}`,
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max,
  );

/** True or false. */
export const flag = simple<boolean>('true or false', (value) => typeof value === 'boolean');

/** Any object. */
export const anyObject = simple<JsonObject>('an object', isObject);

/** One of these texts. */
export const oneOf = <const T extends string>(...values: readonly T[]): Shape<T> =>
  simple<T>(`one of ${values.join(', ')}`, (value) => values.some((it) => it === value));

/** An object whose values have a shape, by any keys. */
export const dictionaryOf = <T>(inner: Shape<T>): Shape<Record<string, T>> =>
  shape((value, at) =>
    isObject(value)
      ? Object.entries(value)
          .map(([key, one]) => inner.problem(one, `${at}/${key}`))
          .find((problem) => problem !== undefined)
      : `${at} is to be an object`,
  );

/** A list. */
export const listOf = <T>(inner: Shape<T>): Shape<T[]> =>
  shape((value, at) =>
    Array.isArray(value)
      ? value
          .map((one, index) => inner.problem(one, `${at}/${index}`))
          .find((problem) => problem !== undefined)
      : `${at} is to be a list`,
  );

/** A shape that names itself, as the parts of a tree do. */
export const deferred = <T>(inner: () => Shape<T>): Shape<T> =>
  shape((value, at) => inner().problem(value, at));

type Shapes = Readonly<Record<string, Shape<unknown>>>;

/** The type of what fits a shape. */
export type Shaped<S> = S extends Shape<infer T> ? T : never;

type Fields<S extends Shapes> = { [K in keyof S]: Shaped<S[K]> };

/** An object with these keys and no others. */
export const record = <const N extends Shapes, const M extends Shapes>(
  needed: N,
  more: M,
): Shape<Fields<N> & Partial<Fields<M>>> => {
  const all: Shapes = { ...needed, ...more };
  const known = Object.keys(all);
  const problemAt = (key: string, value: unknown, at: string): string | undefined => {
    if (Object.hasOwn(all, key)) return all[key]?.problem(value, `${at}/${key}`);
    const near = nearestName(key, known);
    return `${at}/${key} is no key here${near ? `; did you mean ${near}?` : ''}`;
  };
  return shape((value, at) => {
    if (!isObject(value)) return `${at} is to be an object`;
    const missing = Object.keys(needed).find((key) => !Object.hasOwn(value, key));
    if (missing !== undefined) return `${at}/${missing} is missing`;
    return Object.entries(value)
      .map(([key, inner]) => (inner === undefined ? undefined : problemAt(key, inner, at)))
      .find((problem) => problem !== undefined);
  });
};
