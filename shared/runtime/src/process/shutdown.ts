import type { Logger } from '../observability/log.ts';

/**
 * Milliseconds for all steps of a shutdown, after the process has reported that it is not ready. The grace period of
 * the platform is longer than both together.
 */
export const shutdownLimitMs = 25_000;

/** One step of a shutdown. */
export interface ShutdownStep {
  name: string;
  run: () => Promise<void>;
}

const timeUp = Symbol('time is up');

/**
 * Runs the steps of a shutdown, which `start-service.ts` lists, in order. A failed step does not stop the next one; at
 * the timeout the remaining steps are skipped.
 * @returns true when every step succeeded in time
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
      log.error({ step: name }, 'the shutdown timed out; the remaining steps are skipped');
      return false;
    } catch (err) {
      isClean = false;
      log.error({ err, step: name }, 'a step of the shutdown failed');
    }
  }
  clearTimeout(timer);
  return isClean;
};
