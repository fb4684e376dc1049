import { afterEach, describe, expect, it } from '@jest/globals';
import { dayIn, momentsOf } from './moments.ts';

const { TZ } = process.env;

describe('the days of a list', () => {
  afterEach(() => {
    if (TZ === undefined) delete process.env.TZ;
    else process.env.TZ = TZ;
  });

  it.each([
    ['2026-11-20', '2026-11-20', 24],
    ['2026-10-25', '2026-10-25', 25],
    ['2026-03-29', '2026-03-29', 23],
  ])('count the last one whole: from %s to %s are %s hours', (first, last, hours) => {
    process.env.TZ = 'Europe/Berlin';
    const { from = '', to = '' } = momentsOf(first, last);
    expect((Date.parse(to) - Date.parse(from)) / 3_600_000).toBe(hours);
  });

  it.each([[undefined], ['soon'], ['2026-13-01'], ['2026-02-31'], ['2026-04-31']])(
    'are none where the address names none: %s',
    (day) => {
      expect(momentsOf(day, day)).toEqual({ from: undefined, to: undefined });
      expect(dayIn(day)).toBeUndefined();
    },
  );
});
