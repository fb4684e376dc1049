import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';
import { newId } from './id.ts';

describe('ids', () => {
  const ids = Array.from({ length: 50_000 }, newId);

  it('are uuids of version 7, all different', () => {
    expect(ids.every((id) => validate(id) && version(id) === 7)).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sort in the order in which they were made', () => {
    expect(ids.toSorted()).toEqual(ids);
  });
});
