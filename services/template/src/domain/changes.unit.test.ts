import { describe, expect, it } from '@jest/globals';
import { auditedChanges, changesOf, isEmpty } from './changes.ts';

const row = { name: 'Greeting', description: 'long', data: { a: [1] }, strict: false };

describe('a change', () => {
  it('consists of the given values that differ; omitted ones stay', () => {
    expect(changesOf(row, { name: 'Hello', strict: undefined, description: 'long' })).toEqual({
      name: 'Hello',
    });
  });

  it('is empty where all values are equal', () => {
    expect(isEmpty(changesOf(row, { ...row, data: { a: [1] } }))).toBe(true);
    expect(isEmpty(changesOf(row, { data: { a: [2] } }))).toBe(false);
  });

  it('is audited with old and new values, and texts and data by name only', () => {
    expect(auditedChanges(row, { name: 'Hello', description: 'short', data: { a: [] } })).toEqual({
      name: { from: 'Greeting', to: 'Hello' },
      description: 'changed',
      data: 'changed',
    });
  });
});
