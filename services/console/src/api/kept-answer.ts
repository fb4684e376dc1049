import type { Place } from './request.ts';

/** A question that was asked before, by its key: the organization and the environment come first. */
interface Question {
  readonly queryKey: readonly unknown[];
}

/**
 * What stands on the screen until an answer of a place is there: the answer before it, unless that is one of another
 * organization or environment.
 */
export const keptWithin =
  ({ organization, environment }: Place) =>
  <T>(before: T | undefined, asked: Question | undefined): T | undefined =>
    asked?.queryKey[0] === organization && asked.queryKey[1] === environment ? before : undefined;
