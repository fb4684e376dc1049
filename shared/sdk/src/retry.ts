import { retryRules } from './generated/retries.ts';

/** What is done after an attempt that failed. */
export type Reaction =
  /** The same again, with the same idempotency key. */
  | 'again'
  /** It is for the caller to decide. */
  | 'stop';

/** How often a request may be made: reads as often as one likes, keyed ones with their key, changes once. */
export type Kind = 'read' | 'keyed' | 'change';

/** What is known of an attempt that failed. */
export interface Failure {
  readonly code: string;
  readonly status: number;
  /** The answer was given before: it stays the same however often one asks. */
  readonly replayed: boolean;
}

const includes = (list: readonly unknown[], value: unknown): boolean => list.includes(value);

/**
 * What to do after a failure, by its code; where the code is a new one, by its status.
 *
 * No failure is met with another idempotency key: the first request may have happened although its answer says otherwise.
 *
 * @param attempt the number of the attempt that failed, from 1
 */
export const reactionTo = ({ code, status, replayed }: Failure, kind: Kind, attempt: number): Reaction => {
  const { permanent, not_begun: notBegun, once, transient } = retryRules;
  if (includes(permanent.codes, code)) return 'stop';
  if (includes(notBegun.codes, code) || includes(notBegun.statuses, status)) return 'again';
  if (kind === 'change' || replayed) return 'stop';
  if (includes(once.codes, code)) return attempt === 1 ? 'again' : 'stop';
  return includes(transient.codes, code) || includes(transient.statuses, status) ? 'again' : 'stop';
};

/**
 * Milliseconds before the next attempt: never less than the answer asks for, and never the same for all who wait.
 *
 * @param retryAfter seconds that the answer asks for
 * @param random from 0 to 1
 */
export const pauseBefore = (attempt: number, retryAfter: number | undefined, random: number): number => {
  if (retryAfter !== undefined) return retryAfter * 1_000 + random * Math.min(1_000, retryAfter * 200 + 100);
  const { first_pause_ms: first, longest_pause_ms: longest } = retryRules;
  return Math.min(longest, first * 2 ** (attempt - 1)) * (0.5 + random);
};
