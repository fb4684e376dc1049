import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { deriveInputs, parseTemplate } from '@stanza/engine';
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

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const directive = (name: string, more: object) => ({ type: 'directive', directive: name, ...more });
const when = (path: string, more: object, text: string) =>
  directive('#if', { condition: { path, ...more }, children: [section(text)] });

/** Templates that read what no exhibit reads: objects of any keys, keys of any characters, lengths. */
const others: readonly { slug: string; blocks: readonly unknown[]; data: Record<string, unknown> }[] = [
  {
    slug: 'an object of any keys',
    blocks: [
      directive('#each', {
        path: 'hosts',
        as: 'host',
        children: [section('{{@key}} {{host.load}}'), when('host.late', {}, '{{host.why}}')],
      }),
      section('{{hosts.main.load | number}}'),
    ],
    data: { hosts: { main: { load: 1, late: true, why: 'x' }, 'b.c': { load: 2, late: false } } },
  },
  {
    slug: 'values of an object, under a condition that no type can express',
    blocks: [
      directive('#if', {
        condition: { path: 'a', operator: 'eq', value: { path: 'b' } },
        children: [directive('#each', { path: 'hosts', children: [section('{{@key}} {{this}}')] })],
      }),
      section('{{hosts.main | default:"x"}}'),
    ],
    data: { a: 'x', b: 'x', hosts: { main: 'y', other: 'z' } },
  },
  {
    slug: 'keys of any characters',
    blocks: [
      section('{{labels["app.kubernetes.io/name"]}} {{["First \\"Name\\""]}} {{row["a\\nb"]}} {{row[""]}}'),
    ],
    data: { labels: { 'app.kubernetes.io/name': 'api' }, 'First "Name"': 'Ada', row: { 'a\nb': 1, '': 'x' } },
  },
  {
    slug: 'lengths',
    blocks: [
      section('{{list.length}} {{name}} {{name.length}}'),
      when('list.length', { operator: 'gt', value: 1 }, '{{list[1]}} {{second}}'),
      when('name.length', { operator: 'lte', value: 2 }, '{{short}}'),
    ],
    data: { list: ['a', 'b', 'c'], name: 'ab', second: 'b', short: 'x' },
  },
];

const parsedOf = (blocks: readonly unknown[]) => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.program;
};

describe('the type of data', () => {
  const all = [
    ...exhibits.map((exhibit) => ({ slug: exhibit.slug, program: programOf(exhibit), data: exhibit.data })),
    ...others.map(({ slug, blocks, data }) => ({ slug, program: parsedOf(blocks), data })),
  ];
  const ajv = new Ajv2020({ strict: false, code: { optimize: false } });
  const cases = all.map((exhibit, index) => {
    const { json_schema: schema } = deriveInputs(exhibit.program, exhibit.data);
    const variants = variantsOf(exhibit.data, [...new Set(wordsIn(schema.allOf ?? []))], index);
    const type = `type T${index} = ${dataType(schema)};`.replaceAll('\n', ' ');
    const lines = variants.map((data, at) => {
      const name = `d${index}_${at}`;
      return `const ${name} = ${JSON.stringify(data)} as const; export const t${name}: T${index} = ${name};`;
    });
    const validate = ajv.compile(schema);
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
