import type { Program } from '../program/parse-template.ts';
import type { ReadStep } from '../run/path-text.ts';
import { writePath } from '../run/path-text.ts';

/** A path that is read, or on the way to one. */
type Inner = Map<ReadStep, Inner>;

const stepInto = (inner: Inner, step: ReadStep): Inner => {
  const known = inner.get(step);
  if (known) return known;
  const next: Inner = new Map();
  inner.set(step, next);
  return next;
};

/** The paths from which no other goes on. */
const leavesOf = ({ reads }: Pick<Program, 'reads'>): (readonly ReadStep[])[] => {
  const root: Inner = new Map();
  // Where each path ends; thousands of long ones have their beginnings in common, so none is written for each step.
  const ends = new Map<Inner, readonly ReadStep[]>();
  for (const { steps } of reads) {
    const end = steps.reduce(stepInto, root);
    if (steps.length > 0 && !ends.has(end)) ends.set(end, steps);
  }
  return [...ends].flatMap(([end, steps]) => (end.size === 0 ? [steps] : []));
};

/**
 * The paths that a template reads, each with null: what its data has to hold, flat. Items of lists, and the
 * values of objects that a loop goes over, are written `items[].name`, a key with other characters
 * `row["First Name"]`; a path that others go on from is left out.
 */
export const requestFormat = (read: Pick<Program, 'reads'>): Record<string, null> =>
  Object.fromEntries(leavesOf(read).map((steps) => [writePath(steps), null]));

const charactersOf = (step: ReadStep): number => (step === null ? 2 : String(step).length + 1);

/** About how many characters {@link requestFormat} takes, which a loop over a long path repeats for all that is read in it. */
export const pathCharacters = (read: Pick<Program, 'reads'>): number =>
  leavesOf(read)
    .flat()
    .reduce<number>((sum, step) => sum + charactersOf(step), 0);
