/**
 * Requests counted by the second in which they came: `counts[0]` in the second `newest` (since 1970), the others in the
 * seconds before it. A request counts until the window has passed since the end of its second, so that no stretch of
 * that length ever holds more than the limit.
 */
export interface RateWindow {
  newest: number;
  counts: readonly number[];
}

/** The seconds that a window of so many seconds keeps: those, and the one that is not over yet. */
export const secondsKept = (seconds: number): number => seconds + 1;

/** How many requests a window holds. */
export const usedOf = ({ counts }: RateWindow): number => counts.reduce((sum, count) => sum + count, 0);

/**
 * The seconds until the oldest request of a window no longer counts, and at least one, as headers say them.
 * @param now seconds since 1970, with their fraction
 */
export const secondsToMore = ({ newest, counts }: RateWindow, now: number): number => {
  const oldest = counts.findLastIndex((count) => count > 0);
  if (oldest === -1) return 1;
  return Math.max(1, Math.ceil(newest - oldest + counts.length - now));
};
