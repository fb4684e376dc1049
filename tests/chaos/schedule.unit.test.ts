import { describe, expect, it } from '@jest/globals';
import { kindOf, makeSchedule, makeShortSchedule } from './schedule.ts';

const fiveMinutes = { durationMs: 300_000, everyMs: 4_000 };

describe('a schedule of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(makeSchedule({ seed: 7, ...fiveMinutes })).toEqual(makeSchedule({ seed: 7, ...fiveMinutes }));
    expect(makeSchedule({ seed: 7, ...fiveMinutes })).not.toEqual(makeSchedule({ seed: 8, ...fiveMinutes }));
  });

  it.each([1, 2, 3, 4, 5])(
    'has at least sixty faults in five minutes, in order, of every kind (seed %i)',
    (seed) => {
      const faults = makeSchedule({ seed, ...fiveMinutes });
      expect(faults.length).toBeGreaterThanOrEqual(60);
      expect(faults.every(({ at }, index) => at >= (faults[index - 1]?.at ?? 0) && at <= 300_000)).toBe(true);
      const kinds = faults.map(({ harm }) => kindOf(harm).split(/[ :]/)[0]);
      expect(new Set(kinds)).toEqual(
        new Set(['kill', 'terminate', 'freeze', 'stop', 'restart', 'platform', 'receiver', 'network']),
      );
    },
  );

  it('is short on demand, and leaves no kind out', () => {
    const faults = makeShortSchedule({ seed: 1, everyMs: 1_200 });
    const kinds = new Set(faults.map(({ harm }) => kindOf(harm)));
    expect([...kinds].filter((it) => it.startsWith('platform')).length).toBe(7);
    expect([...kinds].filter((it) => it.startsWith('kill')).length).toBe(7);
    expect(faults.at(-1)?.at).toBeLessThan(35_000);
  });
});
