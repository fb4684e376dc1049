import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { firstIdOf, madeAt, newId } from './id.ts';

describe('ids', () => {
  const ids = Array.from({ length: 50_000 }, newId);

  it('are uuids of version 7, all different', () => {
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sort by creation', () => {
    expect(ids.toSorted()).toEqual(ids);
  });

  it('created from a moment on sort after the first id of that moment', () => {
    const before = newId();
    // Ids never go back in time: a clock that was ahead once leaves them ahead. The time is read from the id itself.
    const first = firstIdOf(new Date(madeAt(before).getTime() + 1));
    expect(validate(first) && version(first) === 7).toBe(true);
    expect(before < first).toBe(true);
    expect(firstIdOf(new Date(0)) < before).toBe(true);
  });

  it.each([0, 1_700_000_000_123, 2 ** 48 - 1])('say when they were made: %d ms', (moment) => {
    expect(madeAt(firstIdOf(new Date(moment))).getTime()).toBe(moment);
  });
});
