import { describe, expect, it } from '@jest/globals';
import { parseTemplate, requestFormat } from '../index.ts';
import { directive, header, section } from '../testing/compile.ts';

const formatOf = (blocks: readonly unknown[]): Record<string, null> => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return requestFormat(parsed.program);
};

describe('the request format', () => {
  it('holds each path that is read, once, with null', () => {
    expect(formatOf([header('{{a}}'), section('{{a}} {{b.c | upper}} {{d[0].e}}')])).toEqual({
      a: null,
      'b.c': null,
      'd[0].e': null,
    });
  });

  it('names what a loop reads of its items by the list', () => {
    const inner = directive('#each', {
      path: 'row.cells',
      as: 'cell',
      children: [section('{{cell.v}} {{row.w}} {{../x}} {{top}}')],
    });
    expect(formatOf([directive('#each', { path: 'rows', as: 'row', children: [inner] })])).toEqual({
      'rows[].cells[].v': null,
      'rows[].w': null,
      'rows[].x': null,
      top: null,
    });
  });

  it('writes other keys in quotes, so that they can be read back', () => {
    const loop = directive('#each', {
      path: "row['my list']",
      children: [section('{{this["@id"]}} {{@key}}')],
    });
    expect(formatOf([header('{{["First Name"]}} {{labels["a.b/c"]}}'), loop])).toEqual({
      '["First Name"]': null,
      'labels["a.b/c"]': null,
      'row["my list"][]["@id"]': null,
    });
  });

  it('holds conditions and lists whose items are not read', () => {
    const blocks = [
      directive('#if', {
        condition: { path: 'on', operator: 'eq', value: { path: 'wanted' } },
        children: [],
      }),
      directive('#each', { path: 'list', children: [header('x {{@index}}')] }),
    ];
    expect(formatOf(blocks)).toEqual({ on: null, wanted: null, list: null });
  });

  it('holds what interactions will read', () => {
    const interaction = [
      { type: 'open_modal', modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', data: { id: '{{order.id}}' } },
    ];
    const button = { type: 'button', action_id: 'a', text: { type: 'plain_text', text: 'x' }, interaction };
    expect(formatOf([{ type: 'actions', elements: [button] }])).toEqual({ 'order.id': null });
  });

  it('is empty for a template that reads nothing', () => {
    expect(formatOf([header('x'), section('\\{{no}}')])).toEqual({});
  });
});
