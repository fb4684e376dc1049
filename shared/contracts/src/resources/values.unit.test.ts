import { describe, expect, it } from '@jest/globals';
import { key } from './values.ts';

describe('a key', () => {
  it.each([
    'deploy-alert',
    'a',
    '4711',
    '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0',
    'x1938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
  ])('is %s', (value) => {
    expect(key.safeParse(value).success).toBe(true);
  });

  it.each(['', '-a', 'a-', 'Deploy', 'deploy alert', 'x'.repeat(101)])('is not %j', (value) => {
    expect(key.safeParse(value).success).toBe(false);
  });

  it('does not look like an id, so that either may be taken in one place', () => {
    const parsed = key.safeParse('01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f');
    expect(parsed.error?.issues[0]?.message).toContain('not look like an id');
  });
});
