import { setTimeout as pause } from 'node:timers/promises';
import { metricCatalogue } from '@stanza/contracts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { busyMs, PollInterval } from './poll-interval.ts';

/** Share of the interval by which each wait varies, so that replicas do not run in step. */
const jitter = 0.2;

/**
 * Milliseconds that a stop waits for runs. One that goes on, such as a deletion of millions of rows, works in transactions
 * and is cut off: it must not take the time of the steps that follow.
 */
const runsEndMs = 5_000;

/** Work that is found by its time. */
export interface DueWork {
  /** Milliseconds until the next piece is due by the database's clock, negative once it is; undefined without any. */
  next: () => Promise<number | undefined>;
  /** Does what is due. */
  run: (signal: AbortSignal) => Promise<void>;
  /** At the stop: begins nothing more, and waits for what `run` has left under way. */
  close?: () => Promise<void>;
}

/** Periodic jobs of a process. */
export interface BackgroundJobs {
  /**
   * Runs `job` about every `milliseconds`, counted from the end of one run to the start of the next. A failure is
   * logged and counted, and the next run comes as usual.
   */
  every(name: string, milliseconds: number, job: (signal: AbortSignal) => Promise<void>): void;
  /**
   * Runs work when it is due, and looks for it no more often than it must: at the next due moment, when it is woken,
   * and otherwise every 15 seconds. A failure is logged and counted, and the next look comes soon; while each fails,
   * later and later, up to four seconds.
   */
  whenDue(name: string, work: DueWork): void;
  /** Lets a job of {@link whenDue} look again, since something has become due or is due earlier; others are ignored. */
  wake(name: string): void;
  /** Aborts the signal of all jobs, closes their work and waits for it, and for what runs, but not for long. */
  stop(): Promise<void>;
}

/** Starts the background jobs of a process. */
export const startBackgroundJobs = (
  log: Logger,
  metrics: Metrics,
  endMs: number = runsEndMs,
): BackgroundJobs => {
  const controller = new AbortController();
  const { signal } = controller;
  const running: Promise<void>[] = [];
  const closers: (() => Promise<void>)[] = [];
  const alarms = new Map<string, Alarm>();
  const runs = metrics.counter(metricCatalogue.runtime.backgroundRuns);
  /** False when it failed. */
  const attempt = async (name: string, job: () => Promise<void>): Promise<boolean> => {
    try {
      await job();
      runs.inc({ task: name, outcome: 'ok' });
      return true;
    } catch (err) {
      if (signal.aborted) return false;
      runs.inc({ task: name, outcome: 'failed' });
      log.error({ err, job: name }, 'a background job failed');
      return false;
    }
  };
  const repeat = async (name: string, milliseconds: number, job: (signal: AbortSignal) => Promise<void>) => {
    while (await waited(varied(milliseconds), signal)) await attempt(name, () => job(signal));
  };
  const poll = async (name: string, { next, run }: DueWork, alarm: Alarm) => {
    // Replicas that start together do not look together.
    let waitMs = varied(busyMs);
    const interval = new PollInterval();
    while (await waited(waitMs, signal)) {
      alarm.set();
      const begunAt = performance.now();
      let dueInMs: number | undefined;
      const isDone = await attempt(name, async () => {
        dueInMs = await next();
        if (dueInMs !== undefined && dueInMs <= 0) await run(signal);
      });
      if (!isDone) {
        waitMs = varied(interval.failed());
        continue;
      }
      if (dueInMs !== undefined && dueInMs <= 0) {
        waitMs = interval.busy();
        continue;
      }
      const maxMs = varied(interval.idle());
      const isWoken = await alarm.rung(Math.min(Math.ceil(dueInMs ?? maxMs), maxMs), signal);
      if (isWoken) interval.woken();
      // Work that keeps coming is gathered; a moment that has come is met.
      waitMs = isWoken ? Math.max(0, busyMs - (performance.now() - begunAt)) : 0;
    }
  };
  return {
    every: (name, milliseconds, job) => {
      running.push(repeat(name, milliseconds, job));
    },
    whenDue: (name, work) => {
      const alarm = new Alarm();
      alarms.set(name, alarm);
      if (work.close) closers.push(work.close);
      running.push(poll(name, work, alarm));
    },
    wake: (name) => alarms.get(name)?.ring(),
    stop: async () => {
      controller.abort();
      const ended = new AbortController();
      const late = waited(endMs, ended.signal);
      await Promise.all([Promise.race([Promise.all(running), late]), ...closers.map((close) => close())]);
      ended.abort();
    },
  };
};

/** What wakes a sleeping job. A ring before the sleep counts. */
class Alarm {
  #ring: (() => void) | undefined;
  #isRung = false;

  /** Forgets rings from before. */
  set(): void {
    this.#isRung = false;
  }

  ring(): void {
    this.#isRung = true;
    this.#ring?.();
  }

  /**
   * Resolves at the first ring since it was set, after this many milliseconds, or at an abort. True where it has rung.
   */
  rung(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (this.#isRung || signal.aborted) return Promise.resolve(this.#isRung);
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#ring = undefined;
        resolve(this.#isRung);
      };
      const timer = setTimeout(end, milliseconds).unref();
      this.#ring = end;
      signal.addEventListener('abort', end, { once: true });
    });
  }
}

const varied = (milliseconds: number): number => milliseconds * (1 + jitter * (Math.random() - 0.5));

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
