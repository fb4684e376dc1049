import { describe, expect, it } from '@jest/globals';
import { pathWords, withPathWords } from './path-words.ts';

describe('a path of the data in words', () => {
  it.each([
    ['events[0].title', '`title` of the first of `events`'],
    ['order.lines[2].price.net', '`price.net` of the third of `order.lines`'],
    ['events[0]', 'the first of `events`'],
    ['rows[1][11]', 'item 12 of the second of `rows`'],
    ['events[].title', '`title` of each of `events`'],
    ['[0].name', '`[0].name`'],
    ['order.total', '`order.total`'],
    ['labels["app/name"][0]', '`labels["app/name"][0]`'],
    ['{{events[0].title}}', '`{{events[0].title}}`'],
  ])('%s is %s', (path, words) => {
    expect(pathWords(path)).toBe(words);
  });

  it('begins a sentence with a capital letter', () => {
    expect(withPathWords('`events[0]` is missing, and `events[1].id` too.')).toBe(
      'The first of `events` is missing, and `id` of the second of `events` too.',
    );
  });
});
