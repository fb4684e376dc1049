import { describe, expect, it } from '@jest/globals';
import { PollInterval } from './poll-interval.ts';

const times = (count: number, next: () => number): number[] => Array.from({ length: count }, next);

describe('the poll interval of a job that looks for due work', () => {
  it('looks ever less often while nothing is due, and not less often than every 15 seconds', () => {
    const interval = new PollInterval();
    expect(times(5, () => interval.idle())).toEqual([1_800, 3_600, 7_200, 13_600, 13_600]);
  });

  it('looks often again once it is woken, has found work or has failed', () => {
    const interval = new PollInterval();
    for (const disturb of [() => interval.woken(), () => interval.busy(), () => interval.failed()]) {
      times(4, () => interval.idle());
      disturb();
      expect(interval.idle()).toBe(1_800);
    }
  });

  it('looks ever less often while each look fails, and not less often than every four seconds', () => {
    const interval = new PollInterval();
    expect(times(7, () => interval.failed())).toEqual([200, 400, 800, 1_600, 3_200, 3_200, 3_200]);
    // A job is woken by each commit that makes work due: what is away is not asked more often for that.
    interval.woken();
    expect(interval.failed()).toBe(3_200);
  });

  it('looks soon again at the first failure after a look that did not fail', () => {
    const interval = new PollInterval();
    for (const succeed of [() => interval.busy(), () => interval.idle()]) {
      times(5, () => interval.failed());
      succeed();
      expect(interval.failed()).toBe(200);
    }
  });

  it('looks soon while there is work', () => {
    expect(new PollInterval().busy()).toBe(200);
  });
});
