import { describe, expect, it } from '@jest/globals';
import { containing } from './pattern.ts';

describe('a pattern', () => {
  it('means the characters that are special to `like` as they stand', () => {
    expect(containing('50%_a\\b')).toBe('%50\\%\\_a\\\\b%');
  });
});
