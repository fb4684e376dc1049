import { jsonTypeOf } from '../../json.ts';
import { numberOf } from '../filters/filter.ts';
import { compareMoments, isoMomentOf, type Moment, momentOf } from '../filters/moment.ts';

/** Negative, zero or positive, as the first value comes before, with or after the second. */
export type Order = number;

/** An order that no test of one accepts: a value is missing. */
const NONE: Order = Number.NaN;

/** Missing, or a number that JSON cannot hold, which counts as missing. */
const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'number' && !Number.isFinite(value));

/** What a value can be compared as; read once where the template gives it. */
interface Comparable {
  readonly value: unknown;
  readonly number: number | undefined;
  readonly moment: () => Moment | undefined;
}

const comparableOf = (value: unknown): Comparable => ({
  value,
  number: numberOf(value),
  moment: () => momentOf(value),
});

/** Reads a value that the template gives, so that each run does not. */
const fixedComparableOf = (value: unknown): Comparable => {
  const moment = momentOf(value);
  return { ...comparableOf(value), moment: () => moment };
};

const orderOfNumbers = (one: number, other: number): Order =>
  Number.isFinite(one) && Number.isFinite(other) ? one - other : NONE;

const orderOfTexts = (one: string, other: string): Order => (one === other ? 0 : one < other ? -1 : 1);

/** Nanoseconds since 1970 have more digits than a number holds, so that two texts of them may be one number. */
const orderOfDigits = (one: Comparable, other: Comparable): Order => {
  if (typeof one.value !== 'string' || typeof other.value !== 'string') return 0;
  const [earlier, later] = [one.moment(), other.moment()];
  return earlier === undefined || later === undefined ? 0 : compareMoments(earlier, later);
};

const isDate = (text: string): boolean => isoMomentOf(text) !== undefined;

const orderOf = (one: Comparable, other: Comparable): Order | undefined => {
  if (one.number !== undefined && other.number !== undefined) {
    return one.number - other.number || orderOfDigits(one, other);
  }
  if (isMissing(one.value) || isMissing(other.value)) return NONE;
  const earlier = one.moment();
  const later = earlier && other.moment();
  if (earlier !== undefined && later !== undefined) return compareMoments(earlier, later);
  if (typeof one.value !== 'string' || typeof other.value !== 'string') return undefined;
  // A date and a text that is none, as dates of other forms are: their characters say nothing of time.
  if (isDate(one.value) || isDate(other.value)) return undefined;
  return orderOfTexts(one.value, other.value);
};

/** Puts two values in order; undefined where they cannot be compared. */
export type Compare = (subject: unknown, value: unknown) => Order | undefined;

/** Two numbers by size, also where one is written as text; moments by time; texts that are no dates by their characters. */
export const compare: Compare = (subject, value) =>
  typeof subject === 'number' && typeof value === 'number'
    ? orderOfNumbers(subject, value)
    : orderOf(comparableOf(subject), comparableOf(value));

/** Compares with a value that the template gives. */
export const compareWith = (given: unknown): Compare => {
  const other = fixedComparableOf(given);
  const { number } = other;
  return (subject) =>
    typeof subject === 'number' && number !== undefined
      ? orderOfNumbers(subject, number)
      : orderOf(comparableOf(subject), other);
};

/** The kind of a value that could not be compared, for messages. */
export const kindOf = (value: unknown): string => {
  if (typeof value === 'string') return momentOf(value) === undefined ? 'a text that is no date' : 'a date';
  return jsonTypeOf(value);
};
