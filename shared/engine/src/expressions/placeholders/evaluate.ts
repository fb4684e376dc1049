import { isList } from '../../json.ts';
import type { ParseContext, Read, Scope, Tap } from '../../parse/parse-context.ts';
import type { ParsedPath } from '../../parse/parsed-path.ts';
import type { ReadStep } from '../../run/path-text.ts';
import { type Run, spendEvaluations } from '../../run/run.ts';
import type { TextKind } from '../../text/escape.ts';
import { MixedText, wordsOf } from '../../text/mixed-text.ts';
import type { Position } from '../../text/positions.ts';
import type { FilterCall } from '../filters/call.ts';
import type { Filter, FilterEnvironment } from '../filters/filter.ts';
import { FACTS } from './path.ts';
import { type Reader, readerOf } from './reference.ts';
import type { Placeholder } from './scan.ts';

/** The loops between a place and one around it. */
export const loopsBetween = (inner: Scope | undefined, outer: Scope | undefined): number => {
  let count = 0;
  for (let at = inner; at !== undefined && at !== outer; at = at.parent) count += 1;
  return count;
};

/** Facts that are known only at the use of the element are not part of the data. */
const isFact = ({ reference: { origin, segments } }: ParsedPath): boolean =>
  origin === 'root' && segments[0] === FACTS;

/** Records that the template reads the keys of what it loops over, which so is an object. */
const noteKeys = (context: ParseContext, steps: readonly ReadStep[]): void => {
  const { pointer, scope, names, guards } = context;
  const read = {
    steps,
    pointer,
    use: 'keys',
    required: false,
    noticed: false,
    filters: [],
    scope,
    names,
    guards,
  } as const;
  context.parsing.reads.push(read);
};

/** Whether an interaction reads what stands here whatever its own conditions, loops and names make of it. */
const isSureIn = ({ scope, names, guards }: ParseContext, tap: Tap): boolean =>
  scope === tap.scope && names === tap.names && guards === tap.guards;

/** Records that the template reads a path; the inputs of the template are derived from these readings. */
export const noteRead = (
  context: ParseContext,
  path: ParsedPath,
  use: Read['use'],
  {
    hasDefault = false,
    filters = [],
  }: { hasDefault?: boolean; filters?: readonly { readonly filter: Pick<Filter, 'name'> }[] } = {},
): void => {
  const { tap } = context.parsing;
  if (tap !== undefined && isFact(path)) return;
  const mayMiss = hasDefault || use === 'condition' || use === 'choices';
  const noticed = !mayMiss && (tap === undefined || isSureIn(context, tap));
  // A name that a `#with` of the interaction itself gives was noted there.
  if (tap !== undefined && context.names === tap.names)
    tap.note(path, loopsBetween(context.scope, tap.scope), noticed ? context.pointer : undefined);
  const { steps = path.keysOf } = path;
  if (steps === undefined) return;
  if (path.keysOf !== undefined) {
    noteKeys(context, steps);
    return;
  }
  context.parsing.reads.push({
    steps,
    pointer: context.pointer,
    use,
    required: !context.guarded && noticed,
    noticed,
    filters: filters.map(({ filter }) => filter.name),
    scope: context.scope,
    names: context.names,
    guards: context.guards,
  });
};

const isMissing = (value: unknown): boolean => value === undefined || value === null;

/** The cost of reading a value, in evaluations: a loop over filters of huge values must end by budget. */
const sizeCost = (value: unknown): number => {
  if (typeof value === 'string') return value.length >> 6;
  return isList(value) ? value.length >> 3 : 0;
};

/** Making a formatter takes as long as this many evaluations. */
const FORMATTER_COST = 256;

const applyFilters = (
  start: unknown,
  calls: readonly FilterCall[],
  environment: FilterEnvironment,
): unknown => {
  const { run } = environment;
  const { formatters } = run;
  const before = formatters.made;
  let value = start;
  for (const { filter, given } of calls) {
    spendEvaluations(run, (filter.cost ?? 1) + sizeCost(value));
    if (isMissing(value)) {
      if (filter.name === 'default') value = wordsOf(given[0]);
    } else if (!(value instanceof MixedText)) value = filter.apply(value, given, environment);
    else if (filter.applyToWords !== undefined) value = filter.applyToWords(value, given, environment);
    // Its words are a text like any other to these filters.
    else if (filter.name !== 'default' || value.text === '')
      value = filter.apply(value.text, given, environment);
  }
  if (formatters.made > before) spendEvaluations(run, (formatters.made - before) * FORMATTER_COST);
  return value;
};

/** Compiles a placeholder to a function that reads its path and applies its filters. */
export const evaluatorOf = (
  { path, filters }: Placeholder,
  kind: TextKind,
  position: Position,
  pointer: string,
  isNumber = false,
): Reader => {
  const { reference } = path;
  const read = readerOf(reference);
  if (filters.length === 0) return read;
  return (run: Run) =>
    applyFilters(read(run), filters, { run, kind, position, pointer, reference, isNumber });
};
