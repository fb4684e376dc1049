import type { FilterCall } from '../filters/call.ts';
import type { FilterEnvironment } from '../filters/filter.ts';
import type { Place, Read, Scope } from '../place.ts';
import type { Run } from '../run.ts';
import type { TextKind } from '../text/escape.ts';
import type { ParsedPath } from './path.ts';
import { type Reader, readerOf } from './reference.ts';
import type { Placeholder } from './scan.ts';

const loopsBetween = (inner: Scope | undefined, outer: Scope | undefined): number => {
  let count = 0;
  for (let at = inner; at !== undefined && at !== outer; at = at.parent) count += 1;
  return count;
};

/** Remembers that the template reads a path, for what is derived from the template alone. */
export const noteRead = (place: Place, path: ParsedPath, use: Read['use'], hasDefault: boolean): void => {
  const { tap } = place.parsing;
  if (tap !== undefined) tap.note(path, loopsBetween(place.scope, tap.scope), hasDefault);
  const { steps } = path;
  if (steps === undefined) return;
  const required = !place.guarded && !hasDefault;
  place.parsing.reads.push({ steps, pointer: place.pointer, use, required });
};

const isMissing = (value: unknown): boolean => value === undefined || value === null;

const applyFilters = (
  start: unknown,
  calls: readonly FilterCall[],
  environment: FilterEnvironment,
): unknown => {
  let value = start;
  for (const { filter, given } of calls) {
    if (!isMissing(value)) value = filter.apply(value, given, environment);
    else if (filter.name === 'default') [value] = given;
  }
  return value;
};

/** Compiles a placeholder to a function that reads its path and applies its filters. */
export const evaluatorOf = ({ path, filters }: Placeholder, kind: TextKind, pointer: string): Reader => {
  const read = readerOf(path.reference);
  if (filters.length === 0) return read;
  return (run: Run) => applyFilters(read(run), filters, { run, kind, pointer });
};
