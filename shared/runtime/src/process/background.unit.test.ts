import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { until } from '../testing/wait.ts';
import { startBackgroundJobs } from './background.ts';

const start = () => {
  const metrics = createMetrics({ service: 'test', processMetrics: false });
  return { metrics, jobs: startBackgroundJobs(silentLogger(), metrics) };
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

  it('that waits for its next run does not delay the stop', async () => {
    const { jobs } = start();
    jobs.every('rare', 3_600_000, async () => undefined);
    await jobs.stop();
  });
});
