import { describe, expect, it } from '@jest/globals';
import { inWords } from './moment-words.ts';

/** A Saturday evening, in the time zone of the browser. */
const now = new Date(2026, 10, 28, 22, 24);

describe('how far off a moment is', () => {
  it.each([
    [new Date(2026, 10, 30, 9), 'in 2 days'],
    [new Date(2026, 11, 1, 9), 'in 3 days'],
    [new Date(2026, 10, 29, 23), 'tomorrow'],
    [new Date(2026, 10, 29, 9), 'in 11 hours'],
    [new Date(2026, 10, 27, 9), 'yesterday'],
    [new Date(2026, 10, 26, 23), '2 days ago'],
    [new Date(2026, 10, 28, 22, 25), 'in 1 minute'],
    [now, 'now'],
  ])('says of %s that it is %s', (moment, words) => {
    expect(inWords(moment, now)).toBe(words);
  });

  it('leaves a week and more to the date', () => {
    expect(inWords(new Date(2026, 11, 5, 22, 24), now)).toBeUndefined();
    expect(inWords(new Date(2026, 10, 21, 22, 24), now)).toBeUndefined();
  });
});
