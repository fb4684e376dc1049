/** First delay, doubled with each try. */
const firstMs = 200;
const longestMs = 2_000;
/** Share of a delay that varies, so that those who failed together don't return together. */
const jitter = 0.4;

/**
 * Milliseconds to wait before a call is tried again.
 * @param tries how often it was tried, from 1
 * @param random a number from 0 to 1
 */
export const backoffMs = (tries: number, random: number): number =>
  Math.round(Math.min(longestMs, firstMs * 2 ** (tries - 1)) * (1 - jitter / 2 + jitter * random));
