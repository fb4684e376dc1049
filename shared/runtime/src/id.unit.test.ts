import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { firstIdOf, newId } from './id.ts';

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
    const madeAt = Number.parseInt(before.replaceAll('-', '').slice(0, 12), 16);
    const first = firstIdOf(new Date(madeAt + 1));
    expect(validate(first) && version(first) === 7).toBe(true);
    expect(before < first).toBe(true);
    expect(firstIdOf(new Date(0)) < before).toBe(true);
  });
});
