import { describe, expect, it } from '@jest/globals';
import { below, lastStep, parentOf, valueAt, withInserted, withKeyRenamed, withValueAt } from './pointer.ts';

const root = { blocks: [{ type: 'header' }, { type: 'divider' }], 'a/b': { '~c': 1 } };

describe('a pointer into a template', () => {
  it('finds values, names with a slash and a tilde too, and nothing that is inherited', () => {
    expect(valueAt(root, '/blocks/1/type')).toBe('divider');
    expect(valueAt(root, below(below('', 'a/b'), '~c'))).toBe(1);
    expect(valueAt(root, '')).toBe(root);
    expect(['/blocks/9', '/toString', '/blocks/0/constructor'].map((at) => valueAt(root, at))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([parentOf('/blocks/1'), lastStep(below('/blocks', '~/'))]).toEqual(['/blocks', '~/']);
  });

  it('changes a value, takes it away, or makes what it lies in, and leaves what was given alone', () => {
    const before = JSON.stringify(root);
    expect(withValueAt(root, '/blocks/0/type', 'image')).toMatchObject({ blocks: [{ type: 'image' }, {}] });
    expect(withValueAt(root, '/blocks/0', undefined)).toMatchObject({ blocks: [{ type: 'divider' }] });
    expect(withValueAt({}, '/text/text', 'x')).toEqual({ text: { text: 'x' } });
    expect(withValueAt(root, '/a~1b/~0c', undefined)).toMatchObject({ 'a/b': {} });
    expect(withValueAt(root, '', 1)).toBe(1);
    expect(JSON.stringify(root)).toBe(before);
  });

  it('inserts before an item and renames a key in its place', () => {
    expect(withInserted(root, '/blocks/1', 0)).toMatchObject({ blocks: [{ type: 'header' }, 0, {}] });
    expect(withInserted(root, '/blocks/2', 0)).toMatchObject({ blocks: [{}, {}, 0] });
    expect(Object.keys(Object(withKeyRenamed({ a: 1, b: 2, c: 3 }, '/b', 'd')))).toEqual(['a', 'd', 'c']);
  });
});
