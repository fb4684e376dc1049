import { describe, expect, it } from '@jest/globals';
import { lifeOf } from './provider.ts';

const hour = 3_600;

describe('the time for which a provider vouches for a person', () => {
  it.each([
    [8 * hour, 8 * hour],
    [600, 600],
    [undefined, hour],
    [1e12, 7 * 24 * hour],
  ])('A session without a refresh token and with a token of %p s lasts %p s', (expires_in, seconds) => {
    expect(lifeOf({ expires_in }, false)).toBe(seconds);
  });

  it.each([
    [8 * hour, hour],
    [600, 600],
    [5, 60],
    [undefined, hour],
  ])(
    'A session with a refresh token and a token of %p s lasts %p s before it is renewed',
    (expires_in, seconds) => {
      expect(lifeOf({ expires_in }, true)).toBe(seconds);
    },
  );
});
