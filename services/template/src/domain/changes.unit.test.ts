import { describe, expect, it } from '@jest/globals';
import { auditedChanges, changesOf, isEmpty } from './changes.ts';

const row = { name: 'Greeting', description: 'long', data: { a: [1] }, strict: false };

describe('a change', () => {
  it('is what is given and differs; what is left out stays', () => {
    expect(changesOf(row, { name: 'Hello', strict: undefined, description: 'long' })).toEqual({
      name: 'Hello',
    });
  });

  it('is none where everything is so already', () => {
    expect(isEmpty(changesOf(row, { ...row, data: { a: [1] } }))).toBe(true);
    expect(isEmpty(changesOf(row, { data: { a: [2] } }))).toBe(false);
  });

  it('is audited with what was and is, texts and data by name alone', () => {
    expect(auditedChanges(row, { name: 'Hello', description: 'short', data: { a: [] } })).toEqual({
      name: { from: 'Greeting', to: 'Hello' },
      description: 'changed',
      data: 'changed',
    });
  });
});
