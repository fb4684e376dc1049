import { describe, expect, it } from '@jest/globals';
import { LeasedWorker } from '../leased-worker.ts';
import { silentLogger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { noTracing } from '../observability/tracing.ts';
import { until } from '../testing/wait.ts';
import { startBackgroundJobs } from './background.ts';

const start = (endMs?: number) => {
  const metrics = createMetrics({ service: 'test', processMetrics: false });
  return { metrics, jobs: startBackgroundJobs(silentLogger(), metrics, endMs) };
};

describe('a background job', () => {
  it('runs repeatedly, also after a failure, which is counted', async () => {
    const { jobs, metrics } = start();
    let runs = 0;
    jobs.every('fails', 1, async () => {
      runs++;
      if (runs % 2 === 1) throw new Error('every other time');
    });
    await until(() => runs >= 4);
    await jobs.stop();
    const text = await metrics.registry.metrics();
    expect(text).toMatch(
      /stanza_background_runs_total\{task="fails",outcome="failed",service="test"\} [2-9]/,
    );
    expect(text).toMatch(/stanza_background_runs_total\{task="fails",outcome="ok",service="test"\} [1-9]/);
  });

  it('never runs twice at a time', async () => {
    const { jobs } = start();
    let running = 0;
    let most = 0;
    let runs = 0;
    jobs.every('slow', 1, async () => {
      running++;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      runs++;
    });
    await until(() => runs >= 5);
    await jobs.stop();
    expect(most).toBe(1);
  });

  it('is aborted at a stop, and is waited for', async () => {
    const { jobs } = start();
    let state = 'waiting';
    jobs.every('long', 1, async (signal) => {
      state = 'running';
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      state = 'ended';
    });
    await until(() => state === 'running');
    await jobs.stop();
    expect(state).toBe('ended');
  });

  it('that goes on after its abort leaves the stop to the steps that follow', async () => {
    const { jobs } = start(1);
    const ended = Promise.withResolvers<void>();
    let isRunning = false;
    jobs.every('endless', 1, () => {
      isRunning = true;
      return ended.promise;
    });
    await until(() => isRunning);
    await jobs.stop();
    expect(isRunning).toBe(true);
    ended.resolve();
  });

  it('has leased work taken no further at a stop, and what is under way is waited for', async () => {
    const { jobs } = start();
    const due = [1, 2];
    const running = new Map<number, PromiseWithResolvers<void>>();
    const worker = new LeasedWorker<{ n: number; traceparent: null }>(
      { log: silentLogger(), tracing: noTracing },
      {
        name: 'count',
        places: 1,
        claim: async (room) => due.splice(0, room).map((n) => ({ n, traceparent: null })),
        run: ({ n }) => {
          const ended = Promise.withResolvers<void>();
          running.set(n, ended);
          return ended.promise;
        },
        attributes: () => ({}),
        facts: () => ({}),
      },
    );
    jobs.whenDue('count', { next: async () => 0, run: () => worker.begin(), close: () => worker.close() });
    await until(() => running.size === 1);
    let isStopped = false;
    const stopped = jobs.stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isStopped).toBe(false);
    running.get(1)?.resolve();
    await stopped;
    expect(due).toEqual([2]);
  });

  it('that waits for its next run does not delay the stop', async () => {
    const { jobs } = start();
    jobs.every('rare', 3_600_000, async () => undefined);
    await jobs.stop();
  });
});

describe('a job that sleeps until its work is due', () => {
  /** A job whose work is due after this many milliseconds, counted by looks and runs. */
  const startDue = (dueInMs: () => number | undefined) => {
    const { jobs } = start();
    const seen = { looks: 0, runs: 0 };
    jobs.whenDue('due', {
      next: async () => {
        seen.looks++;
        return dueInMs();
      },
      run: async () => {
        seen.runs++;
      },
    });
    return { jobs, seen };
  };

  it('runs once its work is due, and looks in between no more often than it must', async () => {
    let left = 2;
    const { jobs, seen } = startDue(() => (left-- > 0 ? 1 : 0));
    await until(() => seen.runs >= 1);
    await jobs.stop();
    expect(seen.looks).toBe(3);
  });

  it('looks at once when it is woken while nothing is due', async () => {
    const due: { inMs: number | undefined } = { inMs: undefined };
    const { jobs, seen } = startDue(() => due.inMs);
    await until(() => seen.looks === 1);
    due.inMs = -1;
    jobs.wake('due');
    await until(() => seen.runs >= 1);
    await jobs.stop();
    expect(seen.looks).toBe(2);
  });

  it('does not miss what wakes it while it looks', async () => {
    const { jobs } = start();
    let looks = 0;
    jobs.whenDue('due', {
      next: async () => {
        looks++;
        if (looks === 1) jobs.wake('due');
        return undefined;
      },
      run: async () => undefined,
    });
    await until(() => looks === 2);
    await jobs.stop();
  });

  it('looks again after a failure', async () => {
    let looks = 0;
    const { jobs, seen } = startDue(() => {
      looks++;
      if (looks === 1) throw new Error('the database is away');
      return 0;
    });
    await until(() => seen.runs >= 1);
    await jobs.stop();
  });

  it('stops at once while it sleeps, and a job that is not there cannot be woken', async () => {
    const { jobs, seen } = startDue(() => undefined);
    jobs.wake('no such job');
    await until(() => seen.looks === 1);
    await jobs.stop();
  });
});
