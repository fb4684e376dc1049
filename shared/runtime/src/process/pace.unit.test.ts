import { describe, expect, it } from '@jest/globals';
import { Pace } from './pace.ts';

const times = (count: number, next: () => number): number[] => Array.from({ length: count }, next);

describe('the pace of a job that looks for due work', () => {
  it('looks ever less often while nothing is due, and not less often than every 15 seconds', () => {
    const pace = new Pace();
    expect(times(5, () => pace.idle())).toEqual([1_800, 3_600, 7_200, 13_600, 13_600]);
  });

  it('looks often again once it is woken, has found work or has failed', () => {
    const pace = new Pace();
    for (const disturb of [() => pace.woken(), () => pace.busy(), () => pace.failed()]) {
      times(4, () => pace.idle());
      disturb();
      expect(pace.idle()).toBe(1_800);
    }
  });

  it('looks ever less often while each look fails, and not less often than every four seconds', () => {
    const pace = new Pace();
    expect(times(7, () => pace.failed())).toEqual([200, 400, 800, 1_600, 3_200, 3_200, 3_200]);
    // A job is woken by each commit that makes work due: what is away is not asked more often for that.
    pace.woken();
    expect(pace.failed()).toBe(3_200);
  });

  it('looks soon again at the first failure after a look that did not fail', () => {
    const pace = new Pace();
    for (const succeed of [() => pace.busy(), () => pace.idle()]) {
      times(5, () => pace.failed());
      succeed();
      expect(pace.failed()).toBe(200);
    }
  });

  it('looks soon while there is work', () => {
    expect(new Pace().busy()).toBe(200);
  });
});
