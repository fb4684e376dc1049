import { limits } from '@stanza/test-kit/limits';

/** Milliseconds between two looks; short, since it bounds how late a test notices. */
const pauseMs = 25;

/**
 * Waits until `look` answers something other than undefined or false, and answers that.
 * @throws after `timeoutMs`, with what was waited for
 */
export const waitFor = async <T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
  timeoutMs: number = limits.conditionMs,
): Promise<T> => {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
};
