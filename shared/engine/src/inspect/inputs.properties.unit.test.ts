import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { deriveInputs, parseTemplate, runProgram } from '../index.ts';
import { directive, section } from '../testing/compile.ts';
import { ajv } from '../testing/derived.ts';

/** Names that templates read and data may have; few, so that they meet. */
const names = ['a', 'b', 'c'];
const name = fc.constantFrom(...names);
const filter = fc.constantFrom(
  '',
  '',
  '',
  ' | upper',
  ' | default:"-"',
  ' | number:1',
  ' | first',
  ' | json',
  ' | count',
);

/** Also the length of what is read, quoted keys, and the keys of a loop. */
const pathFrom = (starts: readonly string[]) =>
  fc.oneof(
    fc.constantFrom(...starts),
    fc.tuple(fc.constantFrom(...starts), name).map(([start, key]) => `${start}.${key}`),
    fc.tuple(fc.constantFrom(...starts), fc.constantFrom(0, 1)).map(([start, index]) => `${start}[${index}]`),
    fc.constantFrom(...starts).map((start) => `${start}.length`),
    fc.constantFrom(...starts).map((start) => `${start}["a.b"]`),
  );

const plain = fc.constantFrom<unknown>('x', '', 0, 1, true, false, null);
const comparison = (starts: readonly string[]): fc.Arbitrary<object> =>
  fc.oneof(
    fc.record({
      path: pathFrom(starts),
      operator: fc.constantFrom('truthy', 'falsy', 'exists', 'not_exists', 'empty', 'not_empty'),
    }),
    fc.record({
      path: pathFrom(starts),
      operator: fc.constantFrom(
        'eq',
        'ne',
        'gt',
        'gte',
        'lt',
        'lte',
        'contains',
        'not_contains',
        'starts_with',
      ),
      value: plain,
    }),
    fc.record({
      path: pathFrom(starts),
      operator: fc.constantFrom('in', 'not_in'),
      value: fc.array(plain, { maxLength: 3 }),
    }),
    fc.record({
      path: pathFrom(starts),
      operator: fc.constantFrom('eq', 'ne'),
      value: pathFrom(starts).map((path) => ({ path })),
    }),
  );
const condition = (starts: readonly string[]): fc.Arbitrary<object> =>
  fc.oneof(
    { weight: 4, arbitrary: comparison(starts) },
    { weight: 1, arbitrary: fc.record({ all: fc.array(comparison(starts), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ any: fc.array(comparison(starts), { maxLength: 3 }) }) },
    { weight: 1, arbitrary: fc.record({ not: comparison(starts) }) },
  );

const textPath = (starts: readonly string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: pathFrom(starts) },
    { weight: 1, arbitrary: fc.constant(starts.includes('this') ? '@key' : (starts[0] ?? 'a')) },
  );
const text = (starts: readonly string[]) =>
  fc.tuple(textPath(starts), filter).map(([path, filters]) => section(`x {{${path}${filters}}}`));

const blockList = (depth: number, starts: readonly string[]): fc.Arbitrary<unknown[]> => {
  const leaf: fc.Arbitrary<unknown> = text(starts);
  if (depth === 0) return fc.array(leaf, { minLength: 1, maxLength: 2 });
  const choice = fc
    .record({
      condition: condition(starts),
      children: blockList(depth - 1, starts),
      otherwise: fc.option(blockList(depth - 1, starts), { nil: undefined }),
    })
    .map(({ otherwise, ...keys }) => directive('#if', otherwise ? { ...keys, else: otherwise } : keys));
  const item = `item${depth}`;
  const loop = fc
    .record({ path: pathFrom(starts), children: blockList(depth - 1, [...starts, item, 'this']) })
    .map((keys) => directive('#each', { ...keys, as: item }));
  const given = fc
    .record({ a: pathFrom(starts), n: pathFrom(starts) })
    .chain((paths) =>
      blockList(depth - 1, ['a', 'n']).map((children) => directive('#with', { with: paths, children })),
    );
  return fc.array(fc.oneof({ weight: 2, arbitrary: leaf }, choice, loop, given), {
    minLength: 1,
    maxLength: 3,
  });
};

const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    { weight: 2, arbitrary: fc.constantFrom<unknown>('x', 'y', 1, 0, true, null) },
    { weight: 3, arbitrary: tie('object') },
    { weight: 3, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
  ),
  object: fc.record(
    { a: tie('value'), b: tie('value'), c: tie('value'), length: tie('value'), 'a.b': tie('value') },
    { requiredKeys: [] },
  ),
}));
const data = fc.record({ a: value, b: value, c: value }, { requiredKeys: [] });

const programOf = (blocks: readonly unknown[]) => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  return parsed.ok ? parsed.program : undefined;
};

interface Shape {
  types: string[];
  properties: Record<string, unknown>;
  values: unknown;
  required: string[];
  items: unknown;
  minItems: number;
}

const shapeOf = (schema: unknown): Shape => {
  const { type = [], properties = {}, additionalProperties: values } = Object(schema);
  const { required = [], items = {}, minItems = 0 } = Object(schema);
  return { types: [type].flat(), properties, values, required, items, minItems };
};

const isObject = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

const fittedList = ({ items, minItems }: Shape, given: readonly unknown[]): unknown[] =>
  Array.from({ length: Math.max(given.length, minItems) }, (_, at) => fitted(items, given[at]));

const fittedObject = ({ properties, values, required }: Shape, given: object): object => {
  const entries = new Map<string, unknown>(
    Object.entries(given).map(([key, inner]) =>
      values === undefined || Object.hasOwn(properties, key) ? [key, inner] : [key, fitted(values, inner)],
    ),
  );
  for (const [key, inner] of Object.entries(properties)) {
    if (entries.has(key) || required.includes(key)) entries.set(key, fitted(inner, entries.get(key)));
  }
  return Object.fromEntries(entries);
};

const fittedScalar = ({ types }: Shape, given: unknown): unknown => {
  if (types.length === 0 || types.includes(typeof given)) return given;
  if (types.includes('null')) return null;
  return types.includes('string') ? 'x' : types.includes('number') ? 1 : true;
};

/** Data that fits a schema: what is given, with what is missing or wrong filled in from the schema. */
const fitted = (schema: unknown, given: unknown): unknown => {
  const shape = shapeOf(schema);
  const mayBeNull = shape.types.includes('null');
  // A value that may be a list or a text stays what it is.
  if (typeof given === 'string' && shape.types.includes('string')) return given;
  if (shape.types.includes('array')) {
    if (Array.isArray(given)) return fittedList(shape, given);
    return mayBeNull ? null : fittedList(shape, []);
  }
  if (shape.types.includes('object')) {
    if (isObject(given)) return fittedObject(shape, given);
    return mayBeNull ? null : fittedObject(shape, {});
  }
  return fittedScalar(shape, given);
};

describe('the schema derived from any template', () => {
  it('leaves no value missing in data that is valid against it', () => {
    const tried = cases(2_000, 200);
    let held = 0;
    fc.assert(
      fc.property(
        blockList(2, names),
        fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, data),
        data,
        (blocks, sample, given) => {
          const program = programOf(blocks);
          if (program === undefined) return;
          const { json_schema: schema, warnings } = deriveInputs(program, sample);
          const check = ajv.compile(schema);
          const candidate = fitted(schema, given);
          // Where the sample disagrees with the template, the type falls back to text, which the template cannot use.
          if (warnings.length > 0 || !check(candidate)) return;
          held += 1;
          const result = runProgram(program, Object(candidate), { now: new Date(0), strict: true });
          const missing = result.ok ? [] : result.problems.filter(({ rule }) => rule === 'value.missing');
          expect(missing).toEqual([]);
        },
      ),
      { numRuns: tried },
    );
    expect(held).toBeGreaterThan(tried / 4);
  });

  it('is the same each time, and never throws', () => {
    fc.assert(
      fc.property(blockList(2, names), fc.anything(), (blocks, sample) => {
        const program = programOf(blocks);
        if (program === undefined) return;
        expect(deriveInputs(program, sample)).toEqual(deriveInputs(program, sample));
      }),
      { numRuns: cases(1_000, 100) },
    );
  });
});
