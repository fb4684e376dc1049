import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { type Block, deriveInputs, fillIds, type Program, parseTemplate, runProgram } from '../index.ts';
import { templateData } from '../testing/arbitraries.ts';
import { soundTemplate } from '../testing/template-arbitraries.ts';
import { compareInputs, effectOf } from './index.ts';

const now = new Date('2026-11-21T08:00:00.000Z');
const isBlock = (value: unknown): value is Block =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });

const programOf = (blocks: readonly unknown[]): Program => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.program;
};
const inputsOf = (blocks: unknown[], sample: object = {}) => deriveInputs(programOf(blocks), sample).fields;

describe('the effect of a version on data', () => {
  it('breaks or warns exactly where the engine gives an error, nothing at all, or a missing value', () => {
    fc.assert(
      fc.property(soundTemplate, soundTemplate, templateData, fc.boolean(), (one, other, data, strict) => {
        const parsed = parseTemplate(one, { surface: 'message' });
        fc.pre(parsed.ok);
        if (!parsed.ok) return;
        const options = { now, strict };
        const { effect } = effectOf(parsed.program, programOf(other), data, options);
        const result = runProgram(parsed.program, data, options);
        const isMissing = !runProgram(parsed.program, data, { now, strict: true }).ok;
        const isBroken = !result.ok || result.blocks.length === 0;
        expect(effect === 'breaks').toBe(isBroken);
        // A strict run refuses what is missing, and nothing else that an easy one takes.
        expect(effect === 'warning').toBe(!isBroken && isMissing);
      }),
      { numRuns: cases(1_000, 100) },
    );
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
