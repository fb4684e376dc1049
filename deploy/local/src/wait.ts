import { setTimeout as delay } from 'node:timers/promises';

/** Asks again every `everyMs` until the answer is true; false when `timeoutMs` have passed or the signal came. */
export const waitUntil = async (
  condition: () => boolean | Promise<boolean>,
  options: { timeoutMs: number; everyMs?: number; signal?: AbortSignal },
): Promise<boolean> => {
  const end = performance.now() + options.timeoutMs;
  while (options.signal?.aborted !== true) {
    if (await condition()) return true;
    if (performance.now() >= end) return false;
    await delay(options.everyMs ?? 25);
  }
  return false;
};
