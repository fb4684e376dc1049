import { hintNearest } from '../../parse/nearest.ts';
import { type ParseContext, report } from '../../parse/parse-context.ts';
import type { Brought } from '../../text/scan.ts';
import { chatFilters } from './chat-filters.ts';
import { dateFilters } from './date-filters.ts';
import type { Argument, Filter } from './filter.ts';
import { listFilters } from './list-filters.ts';
import { numberFilters } from './number-filters.ts';
import { textFilters } from './text-filters.ts';

/** Every filter of the language. */
export const filters: readonly Filter[] = [
  ...textFilters,
  ...numberFilters,
  ...dateFilters,
  ...listFilters,
  ...chatFilters,
];

const byName = new Map(filters.map((filter) => [filter.name, filter]));

/** Whether there is a filter of a name. */
export const isFilter = (name: string): boolean => byName.has(name);

/** A filter with what the template gives it. */
export interface FilterCall {
  readonly filter: Filter;
  readonly given: readonly Argument[];
}

const nothing: Brought = { marks: '', isBetween: false };

/** Marks that filters may bring into a text: their own, and those of the words that the template gives them. */
export const marksOf = (calls: readonly FilterCall[]): Brought => {
  if (calls.length === 0) return nothing;
  const marks = calls.map(({ filter, given }) => (filter.marks ?? '') + given.map(String).join('')).join('');
  return { marks, isBetween: calls.some(({ filter }) => filter.name === 'join') };
};

const checkArguments = (filter: Filter, given: readonly Argument[], context: ParseContext): boolean => {
  const { name, takes, example } = filter;
  const wrong = takes.find((rule, index) => {
    const argument = given[index];
    return argument === undefined ? rule.optional !== true : !rule.accepts(argument);
  });
  if (wrong === undefined && given.length <= takes.length) return true;
  const needs = takes.map((rule) => rule.needs).join(', then ');
  const message =
    takes.length === 0 ? `\`${name}\` takes nothing after its name.` : `\`${name}\` needs ${needs}.`;
  report(context, 'filter.arguments', message, { hint: `Example: ${example}` });
  return false;
};

/** The filter of a name with what it is given; undefined when something is wrong, which is then reported. */
export const findFilter = (
  name: string,
  given: readonly Argument[],
  earlier: readonly FilterCall[],
  context: ParseContext,
): FilterCall | undefined => {
  const filter = byName.get(name);
  if (filter === undefined) {
    return report(
      context,
      'filter.unknown',
      `There is no filter \`${name}\`.`,
      hintNearest(name, [...byName.keys()]),
    );
  }
  const last = earlier.find((call) => call.filter.last === true);
  if (last !== undefined && name !== 'default') {
    return report(
      context,
      'filter.order',
      `\`${name}\` cannot follow \`${last.filter.name}\`, which comes last.`,
    );
  }
  return checkArguments(filter, given, context) ? { filter, given } : undefined;
};
