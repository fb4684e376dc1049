import { describe, expect, it } from '@jest/globals';
import { problemsOfTemplate, warningOfTemplate } from './pointers.ts';

describe('pointers of answers', () => {
  it.each([
    ['/0/text', '/blocks/0/text'],
    ['', '/blocks'],
    ['/fallback_text', '/fallback_text'],
  ])('lead into the object of blocks and fallback text: %j becomes %j', (given, wanted) => {
    const problem = { pointer: given, rule: 'required', message: 'add it' };
    expect(problemsOfTemplate([problem])).toEqual([{ ...problem, pointer: wanted }]);
  });

  it('are the same at the start of warnings', () => {
    expect(warningOfTemplate('/1/text: `a` is missing.')).toBe('/blocks/1/text: `a` is missing.');
    expect(warningOfTemplate('/fallback_text: `a` is missing.')).toBe('/fallback_text: `a` is missing.');
    expect(warningOfTemplate('3 more warnings are not listed.')).toBe('3 more warnings are not listed.');
  });

  it('lead to the entry of a partial, and name the partial and the place in it', () => {
    const partials = [{ pointer: '/1', key: 'footer', version: 4 }];
    const problem = { pointer: '/1/children/0/text', rule: 'required', message: 'add it' };
    const told = 'in the partial `footer` (version 4) at /blocks/0/text: ';
    expect(problemsOfTemplate([problem], partials)).toEqual([
      { ...problem, pointer: '/blocks/1', message: `${told}add it` },
    ]);
    expect(warningOfTemplate('/1/children/0/text: `a` is missing.', partials)).toBe(
      `/blocks/1: ${told}\`a\` is missing.`,
    );
    expect(warningOfTemplate('/0/text: `a` is missing.', partials)).toBe('/blocks/0/text: `a` is missing.');
  });
});
