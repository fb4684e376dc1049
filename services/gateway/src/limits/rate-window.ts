/**
 * Requests counted by the second of their arrival: `counts[0]` in the second `newest` (since 1970), the others in the
 * seconds before it. A request counts until the window has passed since the end of its second, so that no interval of
 * that length ever contains more than the limit.
 */
export interface RateWindow {
  newest: number;
  counts: readonly number[];
}

/** The number of counted seconds for a window: its length, and the current second. */
export const secondsKept = (seconds: number): number => seconds + 1;

/** The number of requests in a window. */
export const usedOf = ({ counts }: RateWindow): number => counts.reduce((sum, count) => sum + count, 0);

/**
 * The seconds until the oldest request of a window no longer counts, at least one, for the headers.
 * @param now seconds since 1970, with fraction
 */
export const secondsToMore = ({ newest, counts }: RateWindow, now: number): number => {
  const oldest = counts.findLastIndex((count) => count > 0);
  if (oldest === -1) return 1;
  return Math.max(1, Math.ceil(newest - oldest + counts.length - now));
};
