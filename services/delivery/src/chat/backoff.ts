/** First delay, milliseconds, doubled with each try. */
const firstMs = 200;
const longestMs = 2_000;
/** Share of a delay that varies, so that concurrent failures are not retried in step. */
const jitter = 0.4;

/**
 * Milliseconds until the next try.
 * @param tries number of tries so far, from 1
 * @param random a number from 0 to 1
 */
export const backoffMs = (tries: number, random: number): number =>
  Math.round(Math.min(longestMs, firstMs * 2 ** (tries - 1)) * (1 - jitter / 2 + jitter * random));
