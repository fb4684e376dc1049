import { describe, expect, it } from '@jest/globals';
import { searchWords } from './search-query.ts';

describe('the words of a search', () => {
  it.each([
    ['  Deploy   Alert ', 'deploy alert'],
    ['ÄRGER', 'arger'],
    ['café', 'cafe'],
    ['ДЕПЛОЙ', 'деплои'],
    ['v2', 'v2'],
    ['50 %', '50 %'],
  ])('are in lower case, without diacritics and superfluous space: %j is %j', (given, words) => {
    expect(searchWords(given)).toBe(words);
  });

  it.each([undefined, '', ' ', 'a', ' a ', '%%%', 'a%', '\u0301a'])('are too few in %j', (given) => {
    expect(() => searchWords(given)).toThrow(expect.objectContaining({ code: 'invalid_search_query' }));
  });
});
