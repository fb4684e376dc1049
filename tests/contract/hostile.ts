import fc from 'fast-check';
import { anyText } from '../kit/any-text.ts';
import { isObject } from './values.ts';

/** Texts that have surprised programs before. */
const texts = [
  '',
  ' ',
  '{{',
  '{{a.b.c}}',
  '{{#each items}}',
  '{{constructor.constructor}}',
  '__proto__',
  'null',
  '<!channel> <@U0ADA>',
  "'; drop table templates; --",
  '%00',
  '../../etc/passwd',
  'a\u0000b',
  '\ud800',
  '\u202e\u200b\ufeff',
  '😀'.repeat(100),
  'x'.repeat(5_000),
] as const;

const nested = (levels: number): unknown => (levels === 0 ? 'deep' : [nested(levels - 1)]);

/** Any JSON at all, the kind that surprises included. */
export const hostile = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(...texts),
    fc.constantFrom(null, true, -1, 0.1, 1e308, -0, 2 ** 53, nested(40), {}, []),
    anyText({ maxLength: 40 }),
    fc.jsonValue({ maxDepth: 3 }),
  );

const replaceAt = (value: unknown, [step, ...rest]: number[], other: unknown): unknown => {
  if (step === undefined) return other;
  if (Array.isArray(value) && value.length > 0) {
    const at = step % value.length;
    return value.map((item, index) => (index === at ? replaceAt(item, rest, other) : item));
  }
  if (!isObject(value)) return other;
  const keys = Object.keys(value);
  const key = keys[step % (keys.length + 1)] ?? 'unknown_key';
  return { ...value, [key]: replaceAt(value[key], rest, other) };
};

/** A value with something else at one place of it. */
export const nearly = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> => {
  const steps = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });
  return fc.tuple(value, steps, hostile()).map(([whole, path, other]) => replaceAt(whole, path, other));
};
