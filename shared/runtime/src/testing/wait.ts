import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 5;

type Hopeful<T> = T | false | null | undefined;

/** Waits until the condition holds; the answer of the first time that it is truthy comes back. */
export const until = async <T>(
  condition: () => Hopeful<T> | Promise<Hopeful<T>>,
  timeoutMs = 10_000,
): Promise<T> => {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const held = await condition();
    if (held) return held;
    if (performance.now() > giveUpAt) throw new Error(`not so within ${timeoutMs} ms: ${condition}`);
    await pause(pollMs);
  }
};
