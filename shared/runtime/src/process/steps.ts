import type { Logger } from '../observability/log.ts';

/**
 * Combines independent steps into one job. A failed step is logged by name and does not stop the next one. The job
 * fails with the first failure after all have run.
 */
export const inSteps =
  (
    log: Logger,
    steps: Readonly<Record<string, () => Promise<unknown>>>,
  ): ((signal?: AbortSignal) => Promise<void>) =>
  async (signal) => {
    const failures: unknown[] = [];
    for (const [step, run] of Object.entries(steps)) {
      if (signal?.aborted) return;
      try {
        await run();
      } catch (err) {
        log.error({ err, step }, 'a step of a job failed');
        failures.push(err);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
