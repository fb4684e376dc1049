import { describe, expect, it } from '@jest/globals';
import { zoneProblem } from './time-zones.ts';

describe('the time zone of a schedule', () => {
  it.each(['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata'])('takes %s', (zone) => {
    expect(zoneProblem(zone)).toBeUndefined();
  });

  it.each([
    ['berlin', 'Europe/Berlin'],
    ['Europe/berlin', 'Europe/Berlin'],
    ['New york', 'America/New_York'],
    ['Berl', 'Europe/Berlin'],
    ['utc', 'UTC'],
  ])('refuses %s, and names %s', (text, nearest) => {
    expect(zoneProblem(text)).toBe(`There is no time zone “${text}”. Did you mean ${nearest}?`);
  });

  it('refuses what is like none of them without a guess', () => {
    expect(zoneProblem('here and there')).toContain('Choose one from the list');
  });

  it('asks for one where there is none', () => {
    expect(zoneProblem(' ')).toBe('Choose a time zone, such as Europe/Berlin.');
  });
});
