import { describe, expect, it } from '@jest/globals';
import { deriveInputs, parseTemplate } from '@stanza/engine';
import { directive, section } from '@stanza/engine/testing';
import { parametersOf } from './automation-parameters.ts';

const parameters = (blocks: readonly unknown[], sample: unknown = {}) => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parametersOf(deriveInputs(parsed.program, sample).fields);
};

describe('the parameters of an automation tool', () => {
  it('split objects up, and name each value by its path', () => {
    expect(parameters([section('{{order.id}} {{order.paid}}')], { order: { id: 7, paid: true } })).toEqual([
      {
        name: 'order.id',
        label: 'Order › Id',
        type: 'number',
        required: true,
        default: 7,
        options: [],
        help: 'The template reads it as `order.id`.',
      },
      expect.objectContaining({
        name: 'order.paid',
        type: 'boolean',
        options: [
          { label: 'Yes', value: true },
          { label: 'No', value: false },
        ],
      }),
    ]);
  });

  it('take lists as JSON, and describe their items', () => {
    const loop = directive('#each', { path: 'rows', children: [section('{{this.a}} {{this.b}}')] });
    expect(parameters([loop])).toMatchObject([
      { name: 'rows', type: 'json', required: true, help: 'A list, as JSON; each item has a, b.' },
    ]);
  });

  it('take objects of any keys as JSON, and name values as placeholders write them', () => {
    const loop = directive('#each', { path: 'hosts', children: [section('{{@key}} {{this.load}}')] });
    expect(parameters([loop, section('{{labels["a.b/c"]}} {{hosts.main.load}}')])).toMatchObject([
      { name: 'hosts', type: 'json', required: true, help: 'An object, as JSON; each value has load.' },
      { name: 'labels["a.b/c"]', type: 'text', help: 'The template reads it as `labels["a.b/c"]`.' },
    ]);
  });

  it('require nothing inside an optional object', () => {
    expect(parameters([section('{{a.b | default:"x"}}')])).toMatchObject([{ name: 'a.b', required: false }]);
  });
});
