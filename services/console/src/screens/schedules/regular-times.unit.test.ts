import { describe, expect, it } from '@jest/globals';
import { cronOf, regularTimesOf } from './regular-times.ts';

describe('times that come again', () => {
  it.each([
    ['0 9 * * 1-5', { rhythm: 'weekdays', time: '09:00' }],
    ['30 8 * * *', { rhythm: 'daily', time: '08:30' }],
    ['5 17 * * 0', { rhythm: 'weekly', time: '17:05', weekday: '0' }],
    ['0 0 15 * *', { rhythm: 'monthly', time: '00:00', monthDay: '15' }],
    ['20 * * * *', { rhythm: 'hourly', time: '00:20' }],
  ])('are read from %s, and written as it again', (cron, chosen) => {
    expect(regularTimesOf(cron)).toMatchObject(chosen);
    expect(cronOf(regularTimesOf(cron))).toBe(cron);
  });

  it.each([
    '@daily',
    '0 9 1 1 *',
    '0 9-17 * * *',
    '*/7 * * * *',
    '0 9 1 * 1',
    '0 25 * * *',
    '0 9 * * 1,3',
    '',
  ])('stay a cron where no choice makes %s', (cron) => {
    expect(regularTimesOf(cron)).toMatchObject({ rhythm: 'cron', cron });
    expect(cronOf(regularTimesOf(cron))).toBe(cron);
  });
});
