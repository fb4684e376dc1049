import { optional, whole } from './arguments.ts';
import {
  type Argument,
  type Filter,
  type FilterEnvironment,
  isDecimal,
  numberOf,
  unformatted,
} from './filter.ts';

const digits = optional(whole(0, 20));

const fraction = (given: Argument | undefined): Intl.NumberFormatOptions =>
  typeof given === 'number' ? { minimumFractionDigits: given, maximumFractionDigits: given } : {};

/** What is rounded to zero is zero: no sign stands before it. */
const sign: Intl.NumberFormatOptions = { signDisplay: 'negative' };

const numberFilter =
  (
    format: (given: readonly Argument[]) => { key: string; options: Intl.NumberFormatOptions },
  ): Filter['apply'] =>
  (value, given, environment: FilterEnvironment) => {
    const number = numberOf(value);
    if (number === undefined) return unformatted(value, 'a number', environment);
    const { key, options } = format(given);
    const written = typeof value === 'string' && number !== 0 ? value.trim() : number;
    return environment.run.formatters.number(key, options).format(isDecimal(written) ? written : number);
  };

const asNumber = numberFilter(([places]) => ({
  key: `number ${places}`,
  options: { ...sign, ...fraction(places) },
}));

/** Filters over numbers. */
export const numberFilters: readonly Filter[] = [
  {
    name: 'number',
    cost: 8,
    takes: [digits],
    apply: (value, given, environment) => {
      const number = environment.isNumber ? numberOf(value) : undefined;
      if (number === undefined) return asNumber(value, given, environment);
      const [places] = given;
      return typeof places === 'number' ? Number(number.toFixed(places)) : number;
    },
    meaning: 'a number formatted for the locale, with this many decimals',
    example: '{{total | number:2}}',
  },
  {
    name: 'currency',
    cost: 8,
    takes: [
      {
        needs: 'a currency code like "USD"',
        accepts: (given) => typeof given === 'string' && /^[A-Za-z]{3}$/.test(given),
      },
    ],
    apply: numberFilter(([code]) => ({
      key: `currency ${code}`,
      options: { ...sign, style: 'currency', currency: String(code) },
    })),
    meaning: 'an amount of money',
    example: '{{total | currency:"USD"}}',
  },
  {
    name: 'percent',
    cost: 8,
    takes: [digits],
    apply: numberFilter(([places]) => ({
      key: `percent ${places}`,
      options: { ...sign, style: 'percent', ...fraction(places) },
    })),
    meaning: 'a share as percent: 0.25 is 25%',
    example: '{{share | percent:1}}',
  },
];
