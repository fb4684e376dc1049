import { describe, expect, it } from '@jest/globals';
import { compile, directive, problemsOf } from '../../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const raw = (text: string) => ({ type: 'raw_text', text });

describe('a button in a cell of a data table', () => {
  const button = (more: object) => ({
    type: 'button',
    text: plain('Open'),
    action_id: 'open',
    url: 'https://e.com/{{this.id}}',
    ...more,
  });
  const table = (type: string, cell: unknown) => ({
    type,
    ...(type === 'data_table' && { caption: 'Orders' }),
    rows: [[raw('Order')], directive('#each', { path: 'orders', children: [[cell]] })],
  });
  const cell = { type: 'action_cell', element: button({}), fallback: raw('{{this.id}}') };
  const orders = { orders: [{ id: 'a1' }, { id: 'b2' }] };

  it('is made of data like any other, with an id of its own in each row', () => {
    const { blocks, text } = compile([table('data_table', cell)], orders);
    expect(blocks).toMatchObject([
      {
        rows: [
          [raw('Order')],
          [{ element: { action_id: 'open_0', url: 'https://e.com/a1' }, fallback: raw('a1') }],
          [{ element: { action_id: 'open_1', url: 'https://e.com/b2' }, fallback: raw('b2') }],
        ],
      },
    ]);
    expect(text).toBe('Orders\nOrder\nOpen\nOpen');
  });

  it('that the template writes twice with one id gets a number', () => {
    const twice = { type: 'action_cell', element: { ...button({}), url: 'https://e.com' } };
    const { blocks, warnings } = compile([
      { type: 'data_table', caption: 'x', rows: [[raw('a')], [twice], [twice]] },
    ]);
    expect(blocks).toMatchObject([
      { rows: [{}, [{ element: { action_id: 'open' } }], [{ element: { action_id: 'open_1' } }]] },
    ]);
    expect(warnings).toEqual([expect.stringContaining('stands twice')]);
  });

  it('stands in no simple table, and falls back to nothing but text and numbers', () => {
    expect(problemsOf([table('table', cell)], orders)).toMatchObject([{ rule: 'type.unknown' }]);
    const nested = { ...cell, fallback: cell };
    expect(problemsOf([table('data_table', nested)], orders)).toMatchObject([
      { rule: 'type.unknown', pointer: '/0/rows/1/children/0/0/fallback/type' },
    ]);
  });
});
