import { describe, expect, it } from '@jest/globals';
import { templateIn } from './template-in.ts';

const divider = { type: 'divider' };

describe('pasted JSON', () => {
  it.each([
    ['a list of blocks', [divider]],
    ['an object with blocks', { blocks: [divider] }],
  ])('makes a template of %s', (_, pasted) => {
    expect(templateIn(JSON.stringify(pasted), '')).toEqual({
      template: { name: 'Untitled template', blocks: [divider] },
    });
  });

  it('keeps what a whole template says of itself', () => {
    const pasted = { name: 'Deploy', description: 'of a service', fallback_text: 'live', blocks: [divider] };
    expect(templateIn(JSON.stringify({ ...pasted, sample_data: { a: 1 } }), '')).toEqual({
      template: { ...pasted, sample_data: { a: 1 } },
    });
  });

  it('takes the name that was given before the one in the text', () => {
    expect(templateIn(JSON.stringify({ name: 'Deploy', blocks: [divider] }), ' Mine ')).toMatchObject({
      template: { name: 'Mine' },
    });
  });

  it.each([
    ['{', /not JSON/],
    ['{}', /holds no blocks/],
    ['[]', /is empty/],
    ['[{"type":"divider"},{}]', /Block 2 has no type/],
  ])('says what is wrong with %s', (pasted, problem) => {
    expect(templateIn(pasted, '')).toEqual({ problem: expect.stringMatching(problem) });
  });
});
