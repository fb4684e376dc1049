import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import {
  type Block,
  deriveInputs,
  fillIds,
  type MessageOptions,
  type Program,
  parseTemplate,
  runProgram,
  runWithWarnings,
} from '../index.ts';
import { templateData } from '../testing/arbitraries.ts';
import { section } from '../testing/compile.ts';
import { programOf } from '../testing/derived.ts';
import { soundTemplate } from '../testing/template-arbitraries.ts';
import { compareInputs, type DataEffect, effectOf as effectOfResult } from './index.ts';

const now = new Date('2026-11-21T08:00:00.000Z');
const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const plain = (text: string) => ({ type: 'plain_text', text });

const effectOf = (
  after: Program,
  before: Program | undefined,
  data: Record<string, unknown>,
  options: MessageOptions,
): DataEffect =>
  effectOfResult(runWithWarnings(after, data, options), before && (() => runProgram(before, data, options)));
const inputsOf = (blocks: unknown[], sample: object = {}) => deriveInputs(programOf(blocks), sample).fields;

describe('the effect of a version on data', () => {
  it('breaks or warns exactly where the engine gives an error, nothing at all, or a warning', () => {
    fc.assert(
      fc.property(soundTemplate, soundTemplate, templateData, fc.boolean(), (one, other, data, strict) => {
        const parsed = parseTemplate(one, { surface: 'message' });
        fc.pre(parsed.ok);
        if (!parsed.ok) return;
        const options = { now, strict };
        const { effect, problems, count } = effectOf(parsed.program, programOf(other), data, options);
        const result = runProgram(parsed.program, data, options);
        const isBroken = !result.ok || result.blocks.length === 0;
        const warnings = isBroken ? [] : result.warnings;
        expect(effect === 'breaks').toBe(isBroken);
        expect(effect === 'warning').toBe(warnings.length > 0);
        if (effect !== 'warning') return;
        expect(warnings).toEqual(expect.arrayContaining(problems.map(({ message }) => message)));
        // Those beyond the cap are one line of the result, and counted here.
        expect(count).toBeGreaterThanOrEqual(warnings.length);
      }),
      { numRuns: cases(1_000, 100) },
    );
  });

  const row = (...texts: string[]) => texts.map((text) => ({ type: 'raw_text', text }));
  const cellIf = { type: 'directive', directive: '#if', condition: { path: 'empty' }, children: row('c') };
  const datum = 'Tycho '.repeat(10);
  it.each([
    ['value.missing', '/0/text/text', [section('{{gone}} {{name}}')]],
    [
      'value.not_list',
      '/1/path',
      [section('{{name}}'), { type: 'directive', directive: '#each', path: 'name', children: [] }],
    ],
    [
      'value.not_offered',
      '/0/accessory',
      [
        section('Pick', {
          accessory: {
            type: 'static_select',
            options: { source: 'names', item: { text: plain('{{this}}'), value: '{{@index}}' } },
            initial_option: { text: plain('{{name}}'), value: 'other' },
          },
        }),
      ],
    ],
    ['value.not_formatted', '/0/text/text', [section('{{name | date:"short"}}')]],
    ['text.cut', '/0/text/text', [{ type: 'header', text: plain('{{long}}') }]],
    ['empty.dropped', '/1', [section('{{name}}'), section('{{empty}}')]],
    [
      'id.repeated',
      '',
      [
        { id: '{{name}}', ...section('One') },
        { id: '{{name}}', ...section('Two') },
      ],
    ],
    [
      'table.filled',
      '/0/rows',
      [{ type: 'table', rows: [row('a', 'b', 'c'), [...row('{{name}}', 'b'), cellIf]] }],
    ],
    ['message.long', '', Array(12).fill(section('{{long}}'))],
  ])('is a warning with its rule and place, and no datum, for %s', (rule, pointer, blocks) => {
    const data = { name: datum, names: [datum], empty: '', long: datum.repeat(40) };
    const program = programOf(blocks);
    const { effect, problems, count } = effectOf(program, program, data, { now });
    expect({ effect, problems, count }).toEqual({
      effect: 'warning',
      problems: [{ rule, pointer, message: expect.any(String) }],
      count: 1,
    });
    expect(JSON.stringify(problems)).not.toContain('Tycho');
  });

  it('names missing values before other warnings, five at most, and counts all', () => {
    const cut = { type: 'header', text: plain('{{long}}') };
    const blocks = [...Array(6).fill(cut), section('Hello {{gone}}')];
    const { problems, count } = effectOf(programOf(blocks), undefined, { long: datum.repeat(5) }, { now });
    expect(problems.map(({ rule }) => rule)).toEqual(['value.missing', ...Array(4).fill('text.cut')]);
    expect(count).toBe(7);
  });

  it('is the same for a version that differs in ids that were filled in alone', () => {
    fc.assert(
      fc.property(soundTemplate, templateData, (blocks, data) => {
        let given = 0;
        const newId = () => {
          given += 1;
          return `01938c2e-7b1a-7c3d-9e4f-${String(given).padStart(12, '0')}`;
        };
        const typed = blocks.filter(isBlock);
        const filled = () => programOf(fillIds(typed, newId));
        const { effect } = effectOf(filled(), filled(), data, { now });
        expect(effect).not.toBe('changed');
      }),
      { numRuns: cases(500) },
    );
  });

  it.each([
    ['same', [section('Hello {{name}}')], { name: 'Ada' }],
    ['changed', [section('Good day, {{name}}')], { name: 'Ada' }],
    ['warning', [section('Hello {{name}} of {{city}}')], { name: 'Ada' }],
    [
      'breaks',
      [{ type: 'image', image_url: '{{url}}', alt_text: 'x' }],
      { name: 'Ada', url: 'x'.repeat(3_001) },
    ],
    ['breaks', [section('{{name | default: ""}}')], {}],
  ])('is %s for %j', (effect, blocks, data) => {
    const told = effectOf(programOf(blocks), programOf([section('Hello {{name}}')]), data, { now });
    expect(told.effect).toBe(effect);
    expect(told.problems.length > 0).toBe(effect === 'warning' || effect === 'breaks');
  });

  it('breaks where a value is missing and the template is strict', () => {
    const after = programOf([section('Hello {{name}}')]);
    expect(effectOf(after, undefined, {}, { now, strict: true })).toMatchObject({
      effect: 'breaks',
      problems: [{ pointer: '/0/text/text', rule: 'value.missing' }],
      count: 1,
    });
  });
});

describe('the inputs of two versions', () => {
  it('differ in what is required, read no more, or of another type', () => {
    const before = inputsOf([section('{{a}} {{b | default: "x"}} {{c.d}}')], { a: 'text' });
    const after = inputsOf([section('{{a}} {{b}} {{e}}')], { a: 1 });
    expect(compareInputs(before, after)).toEqual({
      required: ['b', 'e'],
      added: ['e'],
      gone: ['c', 'c.d'],
      retyped: [{ path: 'a', from: 'string', to: 'number' }],
    });
  });

  const loop = { type: 'directive', directive: '#each', path: 'items', children: [section('{{this.name}}')] };
  it.each([
    ['the sample data', { items: 'one, two' }, {}],
    ['the entity', {}, { items: { type: 'string' } }],
  ] as const)('differ by a list that is looped over now, whatever %s has there', (_, sample, known) => {
    const derive = (blocks: readonly unknown[]) =>
      deriveInputs(programOf(blocks), sample, known, { prefer: 'reads' }).fields;
    expect(compareInputs(derive([section('{{items}}')]), derive([loop]))).toEqual({
      required: ['items[]', 'items[].name'],
      added: ['items[]', 'items[].name'],
      gone: [],
      retyped: [{ path: 'items', from: 'string', to: 'array' }],
    });
  });

  it('do not differ from themselves', () => {
    fc.assert(
      fc.property(soundTemplate, (blocks) => {
        const fields = inputsOf([...blocks]);
        expect(compareInputs(fields, fields)).toEqual({ required: [], added: [], gone: [], retyped: [] });
      }),
      { numRuns: cases(300) },
    );
  });
});
