import type { Logger } from '../observability/log.ts';

/**
 * Makes one job of several steps that have nothing to do with each other: one that fails is logged by its name and does
 * not keep the next from running. The job fails with the first failure after all have run.
 */
export const inSteps =
  (log: Logger, steps: Readonly<Record<string, () => Promise<unknown>>>): (() => Promise<void>) =>
  async () => {
    const failures: unknown[] = [];
    for (const [step, run] of Object.entries(steps)) {
      try {
        await run();
      } catch (err) {
        log.error({ err, step }, 'a step of a job failed');
        failures.push(err);
      }
    }
    if (failures.length > 0) throw failures[0];
  };
