import { describe, expect, it } from '@jest/globals';
import { problemsIn, reasonOf } from './reasons.ts';

describe('why something failed', () => {
  it('shows the problems of a template as sentences', () => {
    const problems = [{ rule: 'value.missing', pointer: '/0/text', message: '`title` is missing.' }];
    expect(problemsIn(JSON.stringify(problems))).toEqual(['`title` is missing.']);
  });

  it.each(['"users_not_found"', 'not JSON', '{}', '[1]', undefined])('has no problems in %s', (details) => {
    expect(problemsIn(details)).toEqual([]);
  });

  it('shows a code of the platform as a sentence', () => {
    expect(reasonOf('"is_archived"')).toBe('the channel is archived');
    expect(reasonOf('as_yet_unknown')).toBe('as yet unknown');
  });

  it.each([
    ['destination_failed', 'the destination did not take it'],
    ['econnrefused', 'nothing answers at this address'],
  ])('shows the end of a delivery, %s, as a sentence', (word, sentence) => {
    expect(reasonOf(word)).toBe(sentence);
  });
});
