import { describe, expect, it } from '@jest/globals';
import { clipped, counted, singular, withArticle } from './words.ts';

describe('words of the console', () => {
  it('have the plural where there is not one', () => {
    expect([0, 1, 2].map((count) => counted(count, 'item'))).toEqual(['0 items', '1 item', '2 items']);
    expect(counted(2, 'entry', 'entries')).toBe('2 entries');
  });

  it('have the article that is said', () => {
    expect(['test', 'event', 'interaction'].map(withArticle)).toEqual([
      'a test',
      'an event',
      'an interaction',
    ]);
  });

  it('Cut words end before a character of which the limit takes the half', () => {
    expect([5, 6, 7, 9].map((limit) => clipped('Lunch🍜?', limit))).toEqual([
      'Lunch',
      'Lunch',
      'Lunch🍜',
      'Lunch🍜?',
    ]);
  });

  it('name one of a list', () => {
    const names = ['Changes', 'Entries', 'Boxes', 'Addresses', 'Lines', 'Status', 'Series', 'People'];
    expect(names.map(singular)).toEqual([
      'Change',
      'Entry',
      'Box',
      'Address',
      'Line',
      'Status',
      'Series',
      'People',
    ]);
  });
});
