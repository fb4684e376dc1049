import { describe, expect, it } from '@jest/globals';
import { cronWords } from './cron-words.ts';

describe('the words of a cron', () => {
  it.each([
    ['0 9 * * 1-5', 'Europe/Berlin', 'every weekday at 9:00 in Berlin'],
    ['30 8 * * *', null, 'every day at 8:30 UTC'],
    ['5 17 * * 0', 'America/New_York', 'every Sunday at 17:05 in New York'],
    ['0 9 * * 7', 'UTC', 'every Sunday at 9:00 UTC'],
    ['0 0 1 * *', 'Asia/Tokyo', 'every month on day 1 at 0:00 in Tokyo'],
    ['0 12 L * *', 'UTC', 'on the last day of every month at 12:00 UTC'],
    ['*/15 * * * *', 'UTC', 'every 15 minutes'],
    ['0 * * * *', 'UTC', 'every hour'],
    ['20 * * * *', 'UTC', 'every hour at :20'],
  ])('are, for %s in %s, "%s"', (cron, timezone, words) => {
    expect(cronWords(cron, timezone)).toBe(words);
  });

  it.each(['@daily', '0 9 1 1 *', '0 9-17 * * *', '*/7 * * * *', '0 9 1 * 1', '0 9 * * 1,3', '*/15 9 * * *'])(
    'are none for %s, which stands as it is',
    (cron) => {
      expect(cronWords(cron, 'UTC')).toBeUndefined();
    },
  );

  it('leave the zone out where it is not known', () => {
    expect(cronWords('0 9 * * 1-5', null, false)).toBe('every weekday at 9:00');
  });
});
