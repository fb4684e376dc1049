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

/** What no request has begun under: it may be made again, whatever it is. */
const nothingBegan = ['rate_limited', 'tier_limit', 'maintenance'];

/** Another try with the same key may find it gone. */
const passing = ['service_unavailable', 'idempotency_in_progress', 'no_answer'];

/** Whether anything was done is not known here: the same key runs the request again only where nothing was. */
const failedInside = ['internal_error', 'credit_deduction_failed'];

/** Of status 503 and still no matter of time. */
const lasting = ['destination_test_host_not_enabled'];

/**
 * What to do after a failure, by its code; where the code is a new one, by its status.
 *
 * No failure is met with another idempotency key: the first request may have happened although its answer says otherwise.
 *
 * @param attempt the number of the attempt that failed, from 1
 */
export const reactionTo = ({ code, status, replayed }: Failure, kind: Kind, attempt: number): Reaction => {
  if (lasting.includes(code)) return 'stop';
  // 408: the server has waited for the request, and has not read it.
  if (nothingBegan.includes(code) || status === 429 || status === 408) return 'again';
  if (kind === 'change') return 'stop';
  if (replayed) return 'stop';
  if (failedInside.includes(code)) return attempt === 1 ? 'again' : 'stop';
  return passing.includes(code) || status === 503 ? 'again' : 'stop';
};

/** The first pause; each one after it is twice as long. */
const firstPauseMs = 250;
const longestPauseMs = 8_000;

/**
 * Milliseconds before the next attempt: never less than the answer asks for, and never the same for all who wait.
 *
 * @param retryAfter seconds that the answer asks for
 * @param random from 0 to 1
 */
export const pauseBefore = (attempt: number, retryAfter: number | undefined, random: number): number => {
  if (retryAfter !== undefined) return retryAfter * 1_000 + random * Math.min(1_000, retryAfter * 200 + 100);
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (0.5 + random);
};
