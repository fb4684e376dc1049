import { describe, expect, it } from '@jest/globals';
import { lifeOf } from './provider.ts';

const hour = 3_600;

describe('the time for which a provider vouches for a person', () => {
  it.each([
    [8 * hour, 8 * hour],
    [600, 600],
    [undefined, hour],
    [1e12, 7 * 24 * hour],
  ])('is that of a token of %p s without a refresh token: %p s', (expires_in, seconds) => {
    expect(lifeOf({ expires_in }, false)).toBe(seconds);
  });

  it.each([
    [8 * hour, hour],
    [600, 600],
    [5, 60],
    [undefined, hour],
  ])('with a refresh token and a token of %p s is %p s', (expires_in, seconds) => {
    expect(lifeOf({ expires_in }, true)).toBe(seconds);
  });
});
