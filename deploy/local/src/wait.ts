import { setTimeout as delay } from 'node:timers/promises';

/**
 * Milliseconds until the start of a process is given up. It only ends what hangs: on a busy machine a process takes a
 * minute for what it does in two seconds on a quiet one. One that dies is not waited for.
 */
export const startPatienceMs = 300_000;

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
