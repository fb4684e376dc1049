import { limits } from '@stanza/test-kit/limits';

/** Milliseconds between the first looks; short, since it bounds how late a test notices. */
const shortestPauseMs = 25;
/** Milliseconds between the looks of a long wait, which would take the processors from what is waited for. */
const longestPauseMs = 250;

/** Milliseconds until the next look: a twentieth of what was waited, within the two bounds. */
const pauseAfter = (waitedMs: number): number =>
  Math.min(longestPauseMs, Math.max(shortestPauseMs, waitedMs / 20));

/**
 * Waits until `look` answers something other than undefined or false, and answers that.
 * @throws after `timeoutMs`, with what was waited for
 */
export const waitFor = async <T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs: number = limits.conditionMs,
): Promise<T> => {
  const begun = performance.now();
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    const waitedMs = performance.now() - begun;
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(waitedMs)));
  }
};
