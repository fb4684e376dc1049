import { describe, expect, it } from '@jest/globals';
import { nextDay, nextMonth, usageRange } from './usage-range.ts';

const now = new Date('2026-11-21T23:59:59.999Z');

describe('a usage report', () => {
  it('spans the last 31 days including today by default', () => {
    const { from, to, since, until } = usageRange({}, now);
    expect([from, to]).toEqual(['2026-10-22', '2026-11-21']);
    expect([since.toISOString(), until.toISOString()]).toEqual([
      '2026-10-22T00:00:00.000Z',
      '2026-11-22T00:00:00.000Z',
    ]);
  });

  it('spans between one day and 92', () => {
    expect(usageRange({ from: '2026-11-21', to: '2026-11-21' }, now)).toMatchObject({ to: '2026-11-21' });
    expect(usageRange({ from: '2026-08-22' }, now)).toMatchObject({ from: '2026-08-22' });
  });

  it.each([
    [{ from: '2026-08-21' }, 'from'],
    [{ from: '2026-11-22' }, 'from'],
    [{ from: '2026-11-20', to: '2026-11-19' }, 'to'],
    [{ from: '2026-01-01', to: '2026-12-31' }, 'to'],
  ])('is refused for %j', (asked, key) => {
    expect(() => usageRange(asked, now)).toThrow(
      expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining(`${key}: `) }),
    );
  });
});

describe('the calendar is that of UTC', () => {
  it.each([
    ['2026-11-21T23:59:59.999Z', '2026-11-22T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
    ['2026-12-31T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-03-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
  ])('the day after %s is %s and the next month starts on %s', (at, day, month) => {
    expect(nextDay(new Date(at)).toISOString()).toBe(day);
    expect(nextMonth(new Date(at)).toISOString()).toBe(month);
  });
});
