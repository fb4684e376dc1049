import { describe, expect, it } from '@jest/globals';
import { entityTag, namesTag, resourceTag } from './entity-tag.ts';

describe('an entity tag', () => {
  it('is the same for the same bytes, and for the same resource without the keys that do not count', () => {
    expect(entityTag('{"a":1}')).toBe(entityTag(Buffer.from('{"a":1}')));
    expect(entityTag('{"a":1}')).toBe(resourceTag({ a: 1, b: 2 }, { without: ['b'] }));
    expect(resourceTag({ a: 1, b: 2 }, {})).not.toBe(resourceTag({ a: 1, b: 3 }, {}));
  });

  it.each([
    ['"one"', true],
    ['W/"one"', true],
    ['"other", "one"', true],
    ['*', true],
    ['"other"', false],
    ['one', false],
    ['', false],
  ])('is named by %j: %j', (header, isNamed) => {
    expect(namesTag(header, '"one"')).toBe(isNamed);
  });
});
