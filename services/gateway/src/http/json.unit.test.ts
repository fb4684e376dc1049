import { describe, expect, it } from '@jest/globals';
import { listedIssues } from '@stanza/contracts';
import { anyText } from '@stanza/test-kit/any-text';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { mayBeUnacceptable, nestsDeeperThan, readJson, readJsonBytes, unacceptable } from './json.ts';

const depthOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
};

describe('nesting of a JSON text', () => {
  it('equals that of the parsed value, whatever the strings contain', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 7 }), (text, depth) => {
        expect(nestsDeeperThan(text, depth)).toBe(depthOf(JSON.parse(text)) > depth);
      }),
    );
  });

  it('the depth of a text is the same around an escaped quote and an escaped backslash', () => {
    expect(nestsDeeperThan(String.raw`["\"[[[",1]`, 1)).toBe(false);
    expect(nestsDeeperThan(String.raw`["\\",[1]]`, 1)).toBe(true);
    expect(nestsDeeperThan(String.raw`["\\\"[",1]`, 1)).toBe(false);
  });

  it('handles a text that ends within a string', () => {
    expect(nestsDeeperThan(`["${'\\'.repeat(100_000)}`, 1)).toBe(false);
  });

  it('allows exactly the limit', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(nestsDeeperThan(nested(64), 64)).toBe(false);
    expect(nestsDeeperThan(nested(65), 64)).toBe(true);
  });

  it('handles half a megabyte of open brackets', () => {
    expect(nestsDeeperThan('['.repeat(500_000), 64)).toBe(true);
  });
});

describe('unsupported JSON values', () => {
  it('are found with their path, in keys and in values', () => {
    const value = { data: { list: ['fine', 'nul \u0000'], 'half \ud800': 1 } };
    expect(unacceptable(value).map((issue) => issue.path)).toEqual([
      ['data', 'list', 1],
      ['data', 'half \ufffd'],
    ]);
  });

  it('include non-finite numbers and the key __proto__', () => {
    const text = '{"a":[1e400,1],"n":{"__proto__":{"x":1}}}';
    expect(mayBeUnacceptable(text)).toBe(true);
    expect(readJson(text).issues.map((issue) => issue.path)).toEqual([
      ['a', 0],
      ['n', '__proto__'],
    ]);
  });

  it('include inexact numbers in any spelling, each with its path', () => {
    const digits = '9'.repeat(250);
    const text = `{"a":[${digits}e99,1],"b":{"id":-9007199254740993},"c":1e400,"d":12345678901234567890.0,"e":"${digits}e99","f":1e-400,"g":-0.${'0'.repeat(400)}1}`;
    const { issues } = readJson(text);
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['a.0', 'exceeds the range of a number'],
      ['b.id', expect.stringContaining('send it as a string')],
      ['c', 'exceeds the range of a number'],
      ['d', expect.stringContaining('send it as a string')],
      ['f', 'exceeds the range of a number'],
      ['g', 'exceeds the range of a number'],
    ]);
  });

  it.each(['1e999', '"\\u0000"'])(
    'are listed as far as an answer lists them: fifty thousand times %s',
    (written) => {
      const { issues } = readJson(`[${Array.from({ length: 50_000 }, () => written).join(',')}]`);
      expect(issues.map(({ path }) => path)).toEqual(Array.from({ length: listedIssues }, (_, at) => [at]));
    },
  );

  it('exclude exact numbers, fractions, and digits in strings', () => {
    const kept = [
      '9007199254740991',
      '-9007199254740992',
      '1e21',
      '1.5E3',
      '0.1234567890123456789',
      '5e-324',
      '0e-400',
      '-0',
    ];
    const { json, issues } = readJson(`{"list":[${kept}],"s":"12345678901234567890 \\" 1e999"}`);
    expect(issues).toEqual([]);
    expect(json).toEqual({ list: kept.map(Number), s: '12345678901234567890 " 1e999' });
  });

  it('exclude every number that a program serializes, and include those that would change', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger()),
        (number) => {
          expect(readJson(`[${JSON.stringify(number)}]`).issues).toEqual([]);
        },
      ),
    );
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.nat(3), (number, spaces) => {
        const isKept = String(Number(number)) === String(number);
        const text = `{"n":${' '.repeat(spaces)}${number}}`;
        expect(readJson(text).issues.map(({ path }) => path)).toEqual(isKept ? [] : [['n']]);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it('are detected in every text that can contain them', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
        if (unacceptable(JSON.parse(text)).length > 0) expect(readJson(text).issues).not.toEqual([]);
      }),
      { numRuns: cases(2_000) },
    );
  });

  it('are not reported for any well-formed value', () => {
    const text = anyText().filter((it) => !it.includes('\u0000') && it.isWellFormed());
    fc.assert(fc.property(fc.array(text), (texts) => expect(unacceptable(texts)).toEqual([])));
  });
});

describe('the bytes of a JSON text', () => {
  const read = (bytes: Uint8Array) => readJsonBytes(bytes, 'message');

  it('are read', () => {
    expect(read(Buffer.from('{"a":"ä"}'))).toEqual({ json: { a: 'ä' }, issues: [] });
  });

  it.each([
    ['are no JSON', Buffer.from('{'), 'The message is not valid JSON in UTF-8.'],
    ['are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The message is not valid JSON in UTF-8.'],
    ['nest too deep', Buffer.from('['.repeat(65)), 'The message is nested deeper than 64 levels.'],
  ])('are refused where they %s', (_, bytes, message) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ code: 'invalid_request', message }));
  });
});
