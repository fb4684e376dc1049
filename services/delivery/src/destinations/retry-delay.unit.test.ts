import { describe, expect, it } from '@jest/globals';
import { type RetryPolicy, retryDelayMs } from './retry-delay.ts';

const policy = (retry_strategy: RetryPolicy['retry_strategy']): RetryPolicy => ({
  retry_strategy,
  retry_initial_delay_ms: 1_000,
  retry_max_delay_ms: 5_000,
});
const middle = 0.5;

describe('the delay before another attempt', () => {
  it.each([
    ['fixed', [1_000, 1_000, 1_000, 1_000, 1_000]],
    ['linear', [1_000, 2_000, 3_000, 4_000, 5_000, 5_000]],
    ['exponential', [1_000, 2_000, 4_000, 5_000, 5_000]],
  ] as const)('is %s and never longer than the maximum', (strategy, delays) => {
    const found = delays.map((_, before) => retryDelayMs(policy(strategy), before + 1, middle));
    expect(found).toEqual(delays);
  });

  it('varies by a tenth to both sides', () => {
    expect([0, 1].map((random) => retryDelayMs(policy('exponential'), 2, random))).toEqual([1_800, 2_200]);
  });

  it('is what the other side asked for, up to the maximum, and never less than the own', () => {
    const asked = (milliseconds: number) => retryDelayMs(policy('fixed'), 1, middle, milliseconds);
    expect([asked(3_000), asked(60_000), asked(10)]).toEqual([3_000, 5_000, 1_000]);
  });

  it('can be counted on at the ends of what a destination may say', () => {
    const widest = { retry_initial_delay_ms: 2_147_483_647, retry_max_delay_ms: 2_147_483_647 };
    const delay = retryDelayMs({ retry_strategy: 'exponential', ...widest }, 11, 1);
    expect(delay).toBe(Math.round(2_147_483_647 * 1.1));
  });
});
