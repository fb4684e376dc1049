import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { apiKeyPrefix, isApiKey, newApiKey } from './api-key.ts';

describe('API keys', () => {
  it('carry the marker of their environment', () => {
    expect(newApiKey('production')).toMatch(/^stz_live_/);
    expect(newApiKey('preview')).toMatch(/^stz_test_/);
  });

  it('are recognised as made, and no two are alike', () => {
    const keys = Array.from({ length: 200 }, () => newApiKey('production'));
    expect(keys.every(isApiKey)).toBe(true);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('are refused when any one character is mistyped', () => {
    const key = newApiKey('production');
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.constantFrom('a', 'Z', '7', '_', ' '), (at, typed) => {
        fc.pre(key[at] !== typed);
        return !isApiKey(key.slice(0, at) + typed + key.slice(at + 1));
      }),
    );
  });

  it('show only their beginning', () => {
    const key = newApiKey('preview');
    expect(apiKeyPrefix(key)).toHaveLength(13);
    expect(key.startsWith(apiKeyPrefix(key))).toBe(true);
  });
});
