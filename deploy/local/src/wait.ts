import { setTimeout as delay } from 'node:timers/promises';

/** Polls every `everyMs` until the condition is true; false after `timeoutMs` or an abort. */
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
