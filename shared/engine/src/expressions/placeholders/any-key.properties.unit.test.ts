import { describe, expect, it } from '@jest/globals';
import { anyText } from '@stanza/test-kit/any-text';
import { cases } from '@stanza/test-kit/cases';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { diffBlocks } from '../../diff/diff-blocks.ts';
import { compareInputs } from '../../impact/index.ts';
import {
  type Block,
  deriveInputs,
  type InputField,
  readPath,
  requestFormat,
  runProgram,
  valueAt,
  writePath,
} from '../../index.ts';
import type { ReadStep } from '../../run/path-text.ts';
import { directive, now, section } from '../../testing/compile.ts';
import { programOf } from '../../testing/derived.ts';

const odd = [
  '',
  ' ',
  'First Name',
  'app.kubernetes.io/name',
  '@timestamp',
  '@index',
  'a|b',
  '}}',
  '{{',
  '\\{{',
  '"',
  "'",
  '\\',
  '\\"',
  'a\nb',
  '\\n',
  ']',
  '[0]',
  '["x"]',
  '..',
  '../a',
  'this',
  'length',
  'interaction ',
  '__proto__',
  'constructor',
  '-a',
  '7',
  '01',
  'ключ',
  '👩‍👩‍👧',
  '\u2028',
  '`',
];
/** Any key of JSON. `interaction` at the top names facts of a use, which are not of the data. */
const key = fc.oneof(fc.constantFrom(...odd), anyText({ maxLength: 12 }), fc.string());
const keys = fc.array(key, { minLength: 1, maxLength: 4 }).filter(([first]) => first !== 'interaction');

const nested = (steps: readonly string[], value: unknown): unknown =>
  steps.reduceRight<unknown>((inner, step) => Object.fromEntries([[step, inner]]), value);
const dataOf = (steps: readonly string[], value: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(Object(nested(steps, value))));

const textsOf = (blocks: readonly unknown[], data: Record<string, unknown>): unknown[] => {
  const result = runProgram(programOf(blocks), data, { now, strict: true });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.blocks.map(({ text }) => Object(text).text);
};
const when = (condition: object) => directive('#if', { condition, children: [section('yes')] });

/** Another spelling of the same path: every key in single quotes. */
const inSingleQuotes = (steps: readonly string[]): string =>
  steps
    .map((step) => `['${step.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}']`)
    .join('');

/** What the form of the console makes: the value under the name of each field. */
const filledBy = (fields: readonly InputField[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.map(({ name, fields: inner }) => [name, inner === undefined ? 'filled' : filledBy(inner)]),
  );
const pathsOf = (fields: readonly InputField[]): string[] =>
  fields.flatMap(({ path, fields: inner = [] }) => [path, ...pathsOf(inner)]);

const runs = { numRuns: cases(2_000, 300) };

describe('a path with any keys', () => {
  it('is read as the steps that it was written from', () => {
    const step: fc.Arbitrary<ReadStep> = fc.oneof(
      { weight: 4, arbitrary: key },
      fc.nat(999_999_999),
      fc.constant(null),
    );
    fc.assert(
      fc.property(key, fc.array(step, { maxLength: 6 }), (first, rest) => {
        const steps = [first, ...rest];
        expect(readPath(writePath(steps))?.steps).toEqual(steps);
        expect(readPath(writePath(rest, writePath([first])))?.steps).toEqual(steps);
      }),
      runs,
    );
  });

  it('reads the value in placeholders, conditions, loops and mappings, in both quotes', () => {
    fc.assert(
      fc.property(keys, (steps) => {
        for (const path of [writePath(steps), inSingleQuotes(steps)]) {
          const data = dataOf(steps, 'here');
          const blocks = [
            section(`x {{${path}}} {{ this${inSingleQuotes(steps)} | upper }}`),
            when({ path, operator: 'eq', value: 'here' }),
            when({ path, operator: 'eq', value: { path } }),
          ];
          expect(textsOf(blocks, data)).toEqual(['x here HERE', 'yes', 'yes']);
          expect(valueAt(data, path)).toBe('here');
          const list = dataOf(steps, [dataOf(steps, 'in')]);
          const inner = section(`{{this${inSingleQuotes(steps)}}}{{row${inSingleQuotes(steps)}}}`);
          const outer = directive('#each', { path: 'one', children: [section(`{{../${path}[0].x}}`)] });
          const each = directive('#each', { path, as: 'row', children: [inner] });
          expect(textsOf([each], list)).toEqual(['inin']);
          if (steps[0] === 'one') continue;
          expect(textsOf([outer], { ...dataOf(steps, [{ x: 'out' }]), one: [1] })).toEqual(['out']);
        }
      }),
      runs,
    );
  });

  it('is listed, demanded by the schema, filled by the form, and compared', () => {
    // Without all errors, this validator takes a missing key of no characters for none.
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      ownProperties: true,
      allErrors: true,
      code: { optimize: false },
    });
    fc.assert(
      fc.property(keys, (steps) => {
        // A last `length` may be that of a list or a text, which is listed instead.
        fc.pre(steps.length === 1 || steps.at(-1) !== 'length');
        const path = writePath(steps);
        const program = programOf([section(`{{${path}}}`)]);
        expect(requestFormat(program)).toEqual(Object.fromEntries([[path, null]]));
        const { fields, json_schema: schema } = deriveInputs(program, {});
        expect(pathsOf(fields).at(-1)).toBe(path);
        expect(fields[0]?.label).not.toBe('');
        const valid = ajv.compile(schema);
        expect([valid({}), valid(filledBy(fields))]).toEqual([false, true]);
        expect(textsOf([section(`{{${path}}}`)], filledBy(fields))).toEqual(['filled']);
        expect(compareInputs([], fields).added).toContain(path);
        expect(compareInputs(fields, fields).added).toEqual([]);
      }),
      runs,
    );
  });

  it('shows in a difference of two versions', () => {
    fc.assert(
      fc.property(keys, (steps) => {
        const block = (text: string): Block => ({ id: 'x', ...section(text) });
        const [before, after] = [[block('{{a}}')], [block(`{{${writePath(steps)}}}`)]];
        const { changed } = diffBlocks(before, after);
        expect(changed[0]?.changes ?? []).toMatchObject(
          writePath(steps) === 'a' ? [] : [{ op: 'replace', to: `{{${writePath(steps)}}}` }],
        );
      }),
      runs,
    );
  });

  it('is named in a warning as placeholders write it', () => {
    fc.assert(
      fc.property(keys, (steps) => {
        const result = runProgram(programOf([section(`x {{${writePath(steps)}}}`)]), {}, { now });
        expect(result.ok && result.warnings).toEqual([
          `/0/text/text: \`${writePath(steps)}\` is missing, so nothing stands in its place.`,
        ]);
      }),
      runs,
    );
  });
});
