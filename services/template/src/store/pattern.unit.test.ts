import { describe, expect, it } from '@jest/globals';
import { containing } from './pattern.ts';

describe('a pattern', () => {
  it('escapes the special characters of `like`', () => {
    expect(containing('50%_a\\b')).toBe('%50\\%\\_a\\\\b%');
  });
});
