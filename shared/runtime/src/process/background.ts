import { setTimeout as pause } from 'node:timers/promises';
import { metricCatalogue } from '@stanza/contracts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Share of the interval by which each wait varies, so that replicas do not run in step. */
const jitter = 0.2;

/** Periodic jobs of a process. */
export interface BackgroundJobs {
  /**
   * Runs `job` about every `milliseconds`, counted from the end of one run to the start of the next. A failure is
   * logged and counted, and the next run comes as usual.
   */
  every(name: string, milliseconds: number, job: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts the signal of all jobs and waits for running ones. */
  stop(): Promise<void>;
}

/** Starts the background jobs of a process. */
export const startBackgroundJobs = (log: Logger, metrics: Metrics): BackgroundJobs => {
  const controller = new AbortController();
  const { signal } = controller;
  const running: Promise<void>[] = [];
  const runs = metrics.counter(metricCatalogue.runtime.backgroundRuns);
  const repeat = async (name: string, milliseconds: number, job: (signal: AbortSignal) => Promise<void>) => {
    while (await waited(milliseconds * (1 + jitter * (Math.random() - 0.5)), signal)) {
      try {
        await job(signal);
        runs.inc({ task: name, outcome: 'ok' });
      } catch (err) {
        if (signal.aborted) return;
        runs.inc({ task: name, outcome: 'failed' });
        log.error({ err, job: name }, 'a background job failed');
      }
    }
  };
  return {
    every: (name, milliseconds, job) => {
      running.push(repeat(name, milliseconds, job));
    },
    stop: async () => {
      controller.abort();
      await Promise.all(running);
    },
  };
};

/** Waits; false when the signal was aborted. */
const waited = async (milliseconds: number, signal: AbortSignal): Promise<boolean> => {
  if (signal.aborted) return false;
  try {
    await pause(milliseconds, undefined, { signal, ref: false });
    return true;
  } catch (err) {
    if (signal.aborted) return false;
    throw err;
  }
};
