import { describe, expect, it } from '@jest/globals';
import { chosenWords, scopeTexts } from './scope-texts.ts';

const all = scopeTexts.map(([scope]) => scope);

describe('the scopes that are ticked for a key', () => {
  it('have the words of people for the scopes of a key', () => {
    expect(chosenWords(new Set(['messages:create', 'entities:read']), 9)).toBe(
      '2 of 9 ticked. It may read descriptions of data: which values there are, and of what type; send messages.',
    );
  });

  it('name five scopes of a key, and count the others', () => {
    expect(chosenWords(new Set(all), all.length)).toMatch(
      new RegExp(`^${all.length} of ${all.length} ticked\\. .*; and ${all.length - 5} more\\.$`),
    );
  });

  it('say that a key without scopes may do nothing', () => {
    expect(chosenWords(new Set(), 9)).toContain('Nothing is ticked yet');
  });
});
