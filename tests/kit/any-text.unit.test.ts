import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyText } from './any-text.ts';

const [seed, numRuns] = [4711, 2_000];
const drawn: string[] = [];
fc.assert(
  fc.property(anyText(), (text) => void drawn.push(text)),
  { seed, numRuns },
);
const points = new Set(drawn.flatMap((text) => [...text].map((it) => it.codePointAt(0) ?? 0)));

it('has characters of all planes, and no half of one', () => {
  expect(Math.max(...points)).toBeGreaterThan(0x10_0000);
  expect(drawn.filter((text) => !text.isWellFormed())).toEqual([]);
});

it('is at times the name of what each object has', () => {
  expect(drawn.filter((text) => text in {})).not.toEqual([]);
});

it('shrinks to the least text that fails', () => {
  const failed = fc.check(
    fc.property(anyText(), (text) => !/[\u{1f600}-\u{10ffff}]/u.test(text)),
    { seed, numRuns },
  );
  expect(failed.counterexample).toEqual(['\u{1f600}']);
});
