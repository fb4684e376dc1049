import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { CodedError, metricCatalogue } from '@stanza/contracts';
import { type Breakers, breakers } from './breaker.ts';
import { createMetrics } from './observability/metrics.ts';

const fault = new TypeError('connection reset');
const mistake = new RangeError('bad channel');

const opened: Breakers[] = [];
afterEach(() => {
  for (const made of opened.splice(0)) made.close();
  jest.useRealTimers();
});

const make = (maxBreakers = 100) => {
  const metrics = createMetrics({ service: 'test', processMetrics: false });
  const clock = { now: () => new Date(), monotonic: () => performance.now() };
  const isFault = (error: unknown) => error instanceof TypeError;
  const made = breakers({ name: 'chat', maxBreakers, resetTimeoutMs: 5_000, isFault, metrics, clock });
  opened.push(made);
  const fail = (key: string, error: Error) =>
    made.run(key, () => Promise.reject(error)).catch((err: unknown) => err);
  const failTimes = async (key: string, error: Error, times: number) => {
    for (let time = 0; time < times; time++) await fail(key, error);
  };
  return { made, metrics, fail, failTimes };
};

describe('breakers', () => {
  it('pass results and errors through while closed', async () => {
    const { made, fail } = make();
    expect(await made.run('a', async () => 42)).toBe(42);
    expect(await fail('a', fault)).toBe(fault);
    expect(made.state('a')).toBe('closed');
  });

  it('open after enough faults, and then reject with a coded error without calling', async () => {
    const { made, fail, failTimes } = make();
    await failTimes('a', fault, 10);
    expect(made.state('a')).toBe('open');
    const run = jest.fn(async () => 1);
    const refused: unknown = await made.run('a', run).catch((err: unknown) => err);
    expect(refused).toBeInstanceOf(CodedError);
    expect(refused).toMatchObject({ code: 'service_unavailable', facts: { retry_after: 5 } });
    expect(run).not.toHaveBeenCalled();
    expect(await fail('b', fault)).toBe(fault);
  });

  it('do not open for few calls', async () => {
    const { made, failTimes } = make();
    await failTimes('a', fault, 9);
    expect(made.state('a')).toBe('closed');
  });

  it('never open for errors that are not faults', async () => {
    const { made, failTimes } = make();
    await failTimes('a', mistake, 50);
    expect(made.state('a')).toBe('closed');
  });

  it('let one call probe after the reset timeout, and close when it succeeds', async () => {
    jest.useFakeTimers();
    const { made, failTimes } = make();
    await failTimes('a', fault, 10);
    await jest.advanceTimersByTimeAsync(5_001);
    expect(made.state('a')).toBe('half_open');
    const probe = Promise.withResolvers<string>();
    const probing = made.run('a', () => probe.promise);
    await expect(made.run('a', async () => 'second')).rejects.toMatchObject({ code: 'service_unavailable' });
    probe.resolve('well again');
    expect(await probing).toBe('well again');
    expect(await made.run('a', async () => 'open for all')).toBe('open for all');
    expect(made.state('a')).toBe('closed');
  });

  it('stay open when the probe fails', async () => {
    jest.useFakeTimers();
    const { made, fail, failTimes } = make();
    await failTimes('a', fault, 10);
    await jest.advanceTimersByTimeAsync(5_001);
    expect(await fail('a', fault)).toBe(fault);
    expect(made.state('a')).toBe('open');
  });

  it('stay open when the probe ends without an answer of the target, and probe again', async () => {
    jest.useFakeTimers();
    const { made, fail, failTimes } = make();
    await failTimes('a', fault, 10);
    await jest.advanceTimersByTimeAsync(5_001);
    expect(await fail('a', mistake)).toBe(mistake);
    expect(made.state('a')).toBe('open');
    await jest.advanceTimersByTimeAsync(5_001);
    expect(await made.run('a', async () => 'well again')).toBe('well again');
    expect(made.state('a')).toBe('closed');
  });

  it('are dropped when there are too many, the least recently used first', async () => {
    const { made, failTimes, metrics } = make(2);
    await failTimes('a', fault, 10);
    await made.run('b', async () => 1);
    await made.run('c', async () => 1);
    expect(made.state('a')).toBe('closed');
    expect(await metrics.registry.metrics()).toContain(
      'stanza_breakers{breaker="chat",state="closed",service="test"} 2',
    );
  });

  it('report their states by kind and not by key', async () => {
    const { failTimes, metrics } = make();
    await failTimes('secret-workspace', fault, 10);
    const text = await metrics.registry.metrics();
    expect(text).toContain('stanza_breakers{breaker="chat",state="open",service="test"} 1');
    expect(text).toContain('stanza_breaker_events_total{breaker="chat",event="open",service="test"} 1');
    expect(text).not.toContain('secret-workspace');
  });

  it('report how long the longest has not been closed, probes and reopenings included', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    const { fail, failTimes, metrics } = make();
    const longest = async () =>
      (await metrics.gauge(metricCatalogue.runtime.breakerOpenSeconds).get()).values[0]?.value ?? -1;
    expect(await longest()).toBe(0);
    await failTimes('a', fault, 10);
    await jest.advanceTimersByTimeAsync(5_001);
    await fail('a', fault);
    await jest.advanceTimersByTimeAsync(4_000);
    expect(await longest()).toBeGreaterThanOrEqual(9);
    // Unused for so long, the breaker is forgotten.
    await jest.advanceTimersByTimeAsync(5 * 60_000);
    expect(await longest()).toBe(0);
  });

  it('share one timer', async () => {
    jest.useFakeTimers();
    const { made } = make(5_000);
    await made.run('first', async () => 1);
    const before = jest.getTimerCount();
    for (let index = 0; index < 2_000; index++) await made.run(`host-${index}`, async () => 1);
    expect(jest.getTimerCount()).toBe(before);
  });
});
