import { describe, expect, it } from '@jest/globals';
import { loggedPath } from './observe.ts';

const id = '0190b6a1-6f3e-7c1d-8a55-1d2f3a4b5c6d';

describe('a logged path', () => {
  it.each([
    ['/v1/templates', '/v1/templates'],
    ['/templates/', '/templates/'],
    [`/v1/templates/${id}/versions`, `/v1/templates/${id}/versions`],
  ])('contains words of the API and ids: %s', (path, shown) => {
    expect(loggedPath(path)).toBe(shown);
  });

  it.each([
    ['/v1/templates/stz_live_abc', '/v1/templates/*'],
    [`/v1/${id}x/compile`, '/v1/*/compile'],
    ['/hunter/c2VjcmV0', '/*/*'],
    ['/v1/templates/%68unter', '/v1/templates/*'],
  ])('masks everything else: %s', (path, shown) => {
    expect(loggedPath(path)).toBe(shown);
  });
});
