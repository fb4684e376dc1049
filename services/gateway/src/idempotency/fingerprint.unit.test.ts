import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CanonicalRequest } from '../http/request-context.ts';
import { canonicalJson, fingerprintOf } from './fingerprint.ts';

const request = (more: Partial<CanonicalRequest> = {}): CanonicalRequest => ({
  operation: 'compile-template',
  params: {},
  query: {},
  body: { template_id: 'a', data: { one: 1, two: [{ x: 1, y: 2 }] } },
  ...more,
});
const print = (more?: Partial<CanonicalRequest>) => fingerprintOf(request(more)).toString('hex');

/** The same value with the keys of every object reversed. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
};

describe('the fingerprint of a request', () => {
  it('does not depend on the order of keys, at any depth', () => {
    expect(print({ body: { data: { two: [{ y: 2, x: 1 }], one: 1 }, template_id: 'a' } })).toBe(print());
  });

  it('depends on operation, path, query and every value of the body', () => {
    const others = [
      { operation: 'send-template' },
      { params: { id: 'x' } },
      { query: { limit: '1' } },
      { body: undefined },
      { body: { template_id: 'a', data: { one: '1', two: [{ x: 1, y: 2 }] } } },
      { body: { template_id: 'a', data: { one: 1, two: [{ x: 1 }, { y: 2 }] } } },
    ];
    const prints = [request(), ...others].map((it) => print(it));
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('depends on the order of lists', () => {
    expect(print({ body: [1, 2] })).not.toBe(print({ body: [2, 1] }));
  });
});

/** `JSON.parse` of Node 24 may read an escaped key as another one that it has read before (nodejs/node#63785). */
const hasNoEscapes = (value: unknown): boolean => !JSON.stringify(value).includes('\\');

describe('canonical JSON', () => {
  it('is independent of key order, and its text parses back to the value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }).filter(hasNoEscapes), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(value))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
