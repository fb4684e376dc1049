import { describe, expect, it } from '@jest/globals';
import { freeKey, keyOfName } from './key-of-name.ts';

describe('the key of a new template', () => {
  // The same names as in the test of the server, which makes the key where none is given.
  it.each([
    ['Deploy alert', 'deploy-alert'],
    ['  Über *große* Bestellung #4711! ', 'uber-gro-e-bestellung-4711'],
    ['データ', 'template'],
    ['-', 'template'],
    [`${'x'.repeat(87)} and more`, 'x'.repeat(87)],
    ['01938C2E-7b1a-7c3d-9e4f-5a6b7c8d9e0f', 'template-01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f'],
  ])('of the name %j is %j', (name, key) => {
    expect(keyOfName(name)).toBe(key);
  });

  it.each([
    [[], 'template'],
    [['template'], 'template-2'],
    [['template', 'template-2', 'template-4'], 'template-3'],
  ])('where %j are taken is %j', async (taken: string[], key) => {
    await expect(freeKey('template', async (one) => taken.includes(one))).resolves.toBe(key);
  });
});
