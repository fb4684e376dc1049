import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { mayBeUnacceptable, nestsDeeperThan, unacceptable } from './json.ts';

const depthOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

describe('nesting of a JSON text', () => {
  it('is measured as it would be on the parsed value, whatever the strings hold', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 7 }), (text, depth) => {
        expect(nestsDeeperThan(text, depth)).toBe(depthOf(JSON.parse(text)) > depth);
      }),
    );
  });

  it('allows exactly the limit', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(nestsDeeperThan(nested(64), 64)).toBe(false);
    expect(nestsDeeperThan(nested(65), 64)).toBe(true);
  });

  it('survives half a megabyte of open brackets', () => {
    expect(nestsDeeperThan('['.repeat(500_000), 64)).toBe(true);
  });
});

describe('text that cannot be stored', () => {
  it('is found with its path, in keys and in values', () => {
    const value = { data: { list: ['fine', 'nul \u0000'], 'half \ud800': 1 } };
    expect(unacceptable(value).map((issue) => issue.path)).toEqual([
      ['data', 'list', 1],
      ['data', 'half \ufffd'],
    ]);
  });

  it('is found among numbers that are none, and keys that no object can have', () => {
    const text = '{"a":[1e400,1],"n":{"__proto__":{"x":1}}}';
    expect(mayBeUnacceptable(text)).toBe(true);
    expect(unacceptable(JSON.parse(text)).map((issue) => issue.path)).toEqual([
      ['a', 0],
      ['n', '__proto__'],
    ]);
  });

  it('is looked for in every text that can hold it', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        if (unacceptable(JSON.parse(text)).length > 0) expect(mayBeUnacceptable(text)).toBe(true);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it('is not found in any well-formed value', () => {
    const text = fc.string({ unit: 'binary' }).filter((it) => !it.includes('\u0000') && it.isWellFormed());
    fc.assert(fc.property(fc.array(text), (texts) => expect(unacceptable(texts)).toEqual([])));
  });
});
