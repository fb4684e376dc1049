import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '@stanza/test-kit/limits';

const pollMs = 5;

type Hopeful<T> = T | false | null | undefined;

/** Waits until the condition holds, and returns its first truthy result. */
export const until = async <T>(condition: () => Hopeful<T> | Promise<Hopeful<T>>): Promise<T> => {
  const giveUpAt = performance.now() + limits.conditionMs;
  for (;;) {
    const held = await condition();
    if (held) return held;
    if (performance.now() > giveUpAt) throw new Error(`not so within ${limits.conditionMs} ms: ${condition}`);
    await pause(pollMs);
  }
};
