import type { Logger } from '../observability/log.ts';

/**
 * Everything must have ended this long after the process has taken its leave, milliseconds; the grace period of the
 * platform is longer than both together.
 */
export const shutdownLimitMs = 25_000;

/** One step of a shutdown. */
export interface ShutdownStep {
  name: string;
  run: () => Promise<void>;
}

const timeUp = Symbol('time is up');

/**
 * Runs the steps one after the other. A step that fails does not keep the next from running; when the time is up, the
 * rest is left.
 * @returns whether every step ended well and in time
 */
export const shutDown = async (
  steps: readonly ShutdownStep[],
  log: Logger,
  limitMs: number = shutdownLimitMs,
): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof timeUp>((resolve) => {
    timer = setTimeout(() => resolve(timeUp), limitMs);
  });
  let isClean = true;
  for (const { name, run } of steps) {
    try {
      const ended = await Promise.race([run(), limit]);
      if (ended !== timeUp) continue;
      log.error({ step: name }, 'shutdown takes too long; the rest is left');
      return false;
    } catch (err) {
      isClean = false;
      log.error({ err, step: name }, 'a step of the shutdown failed');
    }
  }
  clearTimeout(timer);
  return isClean;
};
