import { describe, expect, it } from '@jest/globals';
import { nearestName } from './nearest.ts';

describe('the nearest name', () => {
  it.each([
    ['treshold', ['threshold', 'mode'], 'threshold'],
    ['Image-Url', ['image_url', 'alt_text'], 'image_url'],
    [
      'release-of-the-new-weekly-aps',
      ['release-of-the-new-weekly-app', 'invoice'],
      'release-of-the-new-weekly-app',
    ],
    ['send_a_b_c_d_e_ff', ['send_a-b-c-d-e-f'], 'send_a-b-c-d-e-f'],
    ['if', ['of', 'is'], 'of'],
    ['nmae', ['date', 'name'], 'name'],
    ['date', ['name', 'items'], undefined],
    ['weather', ['threshold', 'mode'], undefined],
  ])('of %s among %j is %s', (given, known, nearest) => {
    expect(nearestName(given, known)).toBe(nearest);
  });
});
