import { isList } from '../../json.ts';
import { isEmpty } from '../empty.ts';
import type { Order } from './order.ts';

/** One operator of conditions. */
export interface Operator {
  /** Whether a condition gives a `value` to compare with. */
  readonly takesValue: boolean;
  /** The `value` is a list. */
  readonly takesList?: true;
  /** Looks at every key of an object, which costs by their number. */
  readonly countsKeys?: boolean;
  /** What the test costs beyond the length of both, in evaluations. */
  readonly cost?: (subject: unknown, value: unknown) => number;
  /** Whether the condition holds; of an operator that puts two values in order, `holds` says so of their order. */
  readonly test:
    | ((subject: unknown, value: unknown) => boolean)
    | { readonly holds: (order: Order) => boolean };
  readonly meaning: string;
}

const exists = (value: unknown): boolean => value !== undefined && value !== null;

const isTruthy = (value: unknown): boolean => {
  if (isList(value)) return value.length > 0;
  return Boolean(value);
};

const contains = (subject: unknown, value: unknown): boolean => {
  if (isList(subject)) return subject.includes(value);
  return typeof subject === 'string' && typeof value === 'string' && subject.includes(value);
};

/** A text may be compared with the other from each of its places; an evaluation takes as long as a thousand characters. */
const searchCost = (subject: unknown, value: unknown): number =>
  typeof subject === 'string' && typeof value === 'string' ? (subject.length * value.length) / 1_024 : 0;

const among = (subject: unknown, value: unknown): boolean => isList(value) && value.includes(subject);

const starts = (subject: unknown, value: unknown): boolean =>
  typeof subject === 'string' && typeof value === 'string' && subject.startsWith(value);

const ends = (subject: unknown, value: unknown): boolean =>
  typeof subject === 'string' && typeof value === 'string' && subject.endsWith(value);

const alone = (test: (subject: unknown) => boolean, meaning: string): Operator => ({
  takesValue: false,
  test,
  meaning,
});

type Test = Extract<Operator['test'], (...values: never) => boolean>;

const against = (test: Test, meaning: string): Operator => ({ takesValue: true, test, meaning });

const inOrder = (holds: (order: Order) => boolean, meaning: string): Operator => ({
  takesValue: true,
  test: { holds },
  meaning,
});

/** Every operator by its name. */
export const operators: Readonly<Record<string, Operator>> = {
  truthy: alone(isTruthy, 'present, and not false, 0, an empty text or an empty list'),
  falsy: alone((subject) => !isTruthy(subject), 'not truthy'),
  exists: alone(exists, 'present, and not null'),
  not_exists: alone((subject) => !exists(subject), 'missing or null'),
  empty: { ...alone(isEmpty, 'missing, null, or an empty text, list or object'), countsKeys: true },
  not_empty: { ...alone((subject) => !isEmpty(subject), 'not empty'), countsKeys: true },
  eq: against((subject, value) => subject === value, 'the same text, number, boolean or null'),
  ne: against((subject, value) => subject !== value, 'not the same'),
  gt: inOrder((order) => order > 0, 'greater or later'),
  gte: inOrder((order) => order >= 0, 'greater, later or the same'),
  lt: inOrder((order) => order < 0, 'less or earlier'),
  lte: inOrder((order) => order <= 0, 'less, earlier or the same'),
  in: { ...against(among, 'in the list given as value'), takesList: true },
  not_in: {
    ...against((subject, value) => !among(subject, value), 'not in the list given as value'),
    takesList: true,
  },
  contains: { ...against(contains, 'a text that contains this, or a list with this item'), cost: searchCost },
  not_contains: {
    ...against((subject, value) => !contains(subject, value), 'a text or list without it'),
    cost: searchCost,
  },
  starts_with: against(starts, 'a text that starts with this'),
  ends_with: against(ends, 'a text that ends with this'),
};
