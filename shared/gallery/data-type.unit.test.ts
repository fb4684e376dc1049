import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deriveInputs } from '@stanza/engine';
import { dataType } from '@stanza/engine/data-type';
import { compileProgram } from '@stanza/test-kit/compile-program';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { programOf } from './compile.ts';
import { exhibits } from './exhibits.ts';

/** What the compiler says of a program, by the line that it says it of. */
const complaintsOf = async (lines: readonly string[]): Promise<Map<number, string>> => {
  const folder = await mkdtemp(join(tmpdir(), 'stanza-types-'));
  try {
    await writeFile(join(folder, 'data.ts'), lines.join('\n'));
    const said = await compileProgram({ folder, files: ['data.ts'] });
    const found = said.flatMap((text) => [...text.matchAll(/^data\.ts\((\d+),\d+\): (.*)/g)]);
    return new Map(found.map(([, line, text = '']) => [Number(line), text]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Every place of a value, as the steps to it. */
const placesIn = (value: unknown, path: readonly string[] = []): string[][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([step, inner]) => [[...path, step], ...placesIn(inner, [...path, step])])
    : [];

const replacements: readonly unknown[] = [undefined, null, '', 'x', 0, 7, true, false, [], ['x'], {}, [{}]];

/** The value with another one at a place; undefined takes the place away. */
const changed = (value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown => {
  if (step === undefined) return by;
  const entries = Object.entries(Object(value)).flatMap(([name, inner]) => {
    const next = name === step ? changed(inner, rest, by) : inner;
    return next === undefined ? [] : [[name, next]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
};

/** Data near that of an exhibit: one to three of its values are gone or others. */
const near = (data: unknown): fc.Arbitrary<unknown> =>
  fc
    .array(fc.tuple(fc.nat(), fc.constantFrom(...replacements)), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      changes.reduce<unknown>((value, [index, by]) => {
        const places = placesIn(value);
        return places.length === 0 ? value : changed(value, places[index % places.length] ?? [], by);
      }, data),
    );

/** Also the words that the conditions of a template name, where its data has others. */
const variantsOf = (data: unknown, words: readonly string[], seed: number): unknown[] => {
  const places = placesIn(data);
  const worded = words.flatMap((word) => places.map((place) => changed(data, place, word)));
  return [data, ...fc.sample(near(data), { numRuns: 40, seed }), ...worded.slice(0, 60)];
};

const wordsIn = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"(?:const|enum)":(\[[^\]]*\]|"[^"]*")/g)]
    .flatMap(([, text = '[]']) => JSON.parse(text))
    .filter((word) => typeof word === 'string' && word !== '');

describe('the type of data', () => {
  const cases = exhibits.map((exhibit, index) => {
    const { json_schema: schema } = deriveInputs(programOf(exhibit), exhibit.data);
    const variants = variantsOf(exhibit.data, [...new Set(wordsIn(schema.allOf ?? []))], index);
    const type = `type T${index} = ${dataType(schema)};`.replaceAll('\n', ' ');
    const lines = variants.map((data, at) => {
      const name = `d${index}_${at}`;
      return `const ${name} = ${JSON.stringify(data)} as const; export const t${name}: T${index} = ${name};`;
    });
    const validate = new Ajv2020({ strict: false }).compile(schema);
    return { slug: exhibit.slug, variants, validate, lines: [type, ...lines] };
  });
  let complaints: Map<number, string>;

  beforeAll(async () => {
    complaints = await complaintsOf(cases.flatMap(({ lines }) => lines));
  });

  /** The line on which the lines of a case begin, from 1. */
  const startOf = (index: number): number =>
    cases.slice(0, index).reduce((sum, { lines }) => sum + lines.length, 1);

  it.each(cases.map((it, index) => [it.slug, it, startOf(index)] as const))(
    'of %s takes its data, and none that is not valid',
    (_, { variants, validate }, start) => {
      expect(complaints.get(start)).toBeUndefined();
      expect(complaints.get(start + 1)).toBeUndefined();
      const accepted = variants.filter((__, at) => !complaints.has(start + 1 + at));
      expect(accepted.filter((data) => !validate(data))).toEqual([]);
    },
  );

  it('refuses much of what is wrong with data, and little of what is right', () => {
    const all = cases.flatMap(({ variants, validate }, index) =>
      variants.map((data, at) => ({
        isValid: validate(data),
        isTyped: !complaints.has(startOf(index) + 1 + at),
      })),
    );
    const valid = all.filter(({ isValid }) => isValid);
    expect(all.length - valid.length).toBeGreaterThan(500);
    expect(valid.filter(({ isTyped }) => isTyped).length).toBeGreaterThan(valid.length * 0.7);
  });
});
