import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@stanza/test-kit/limits';

/** Milliseconds between the first looks, and at most between later ones: a long wait looks less often. */
const pauses = { shortestMs: 5, longestMs: 100 };

/** Milliseconds until the next look: a twentieth of what was waited, within the two bounds. */
const pauseAfter = (waitedMs: number): number =>
  Math.min(pauses.longestMs, Math.max(pauses.shortestMs, waitedMs / 20));

type Hopeful<T> = T | false | null | undefined;

/** Waits until the condition holds, and returns its first truthy result. */
export const until = async <T>(condition: () => Hopeful<T> | Promise<Hopeful<T>>): Promise<T> => {
  const begun = performance.now();
  for (;;) {
    const held = await condition();
    if (held) return held;
    const waitedMs = performance.now() - begun;
    if (waitedMs > limits.conditionMs)
      throw new Error(`not so within ${limits.conditionMs} ms: ${condition}`);
    await pause(pauseAfter(waitedMs));
  }
};
