import { describe, expect, it } from '@jest/globals';
import { fillJson, parseTemplate, runProgram } from '../index.ts';
import { directive, now, section } from '../testing/compile.ts';

const saved = {
  'order.id': 'A-1',
  'labels["a.b/c d"]': 'odd',
  '["order"].id': 'whole',
  items: [{ name: 'pen' }, { name: 'ink' }],
  '@index': 4,
  '../total': 2,
  'this.price': 3,
};
const data = { ...saved, interaction: { user: { id: 'U0ADA' }, form: { why: 'late' } } };
const options = { now, saved: new Set(Object.keys(saved)) };

const fill = (json: unknown): unknown => {
  const result = fillJson(json, data, options);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.json;
};

const compiled = (blocks: readonly unknown[]) => {
  const parsed = parseTemplate(blocks, { surface: 'message', saved: options.saved });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return runProgram(parsed.program, data, { now });
};

describe('what a message kept for an interaction', () => {
  it('is read by the paths as the template writes them, also those of the loops around the element', () => {
    expect(
      fill({ id: '{{order.id}}', at: '{{@index}}', of: '{{../total}}', price: '{{this.price}}' }),
    ).toEqual({
      id: 'A-1',
      at: 4,
      of: 2,
      price: 3,
    });
  });

  it('is read by quoted keys, which mean the data whatever an updated message binds', () => {
    const path = '{{labels["a.b/c d"]}}';
    expect(fill([path, `x ${path}`])).toEqual(['odd', 'x odd']);
    const loop = directive('#each', { path: 'items', as: 'order', children: [section('{{["order"].id}}')] });
    expect(compiled([loop])).toMatchObject({ ok: true, blocks: [section('whole'), section('whole')] });
  });

  it('stands beside what is known of the use', () => {
    expect(fill(['{{interaction.user.id}} of {{order.id | lower}}', '{{interaction.form.why}}'])).toEqual([
      'U0ADA of a-1',
      'late',
    ]);
  });

  it('keeps its type where a placeholder stands alone, and is null where it is missing', () => {
    expect(fill({ items: '{{items}}', gone: '{{order.note}}', fixed: [1, true, null] })).toEqual({
      items: saved.items,
      gone: null,
      fixed: [1, true, null],
    });
  });

  it('goes behind the names and items of loops that an updated message has of its own', () => {
    const loop = directive('#each', {
      path: 'items',
      as: 'order',
      children: [section('{{@index}} {{order.name}} of {{../total}} {{this.name}}')],
    });
    expect(compiled([section('{{order.id}}'), loop])).toMatchObject({
      ok: true,
      blocks: [section('A-1'), section('0 pen of 2 pen'), section('1 ink of 2 ink')],
    });
  });

  it('has nothing for a loop that kept no value, which is no mistake of the template', () => {
    expect(fill('{{@first}}')).toBeNull();
    expect(compiled([section('x{{../name}}')])).toMatchObject({ ok: true, blocks: [section('x')] });
  });
});
