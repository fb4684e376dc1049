import { describe, expect, it } from '@jest/globals';
import { compile, problemsOf, resolvePointer } from '../../testing/compile.ts';

const raw = (text: string) => ({ type: 'raw_text', text });
const figure = (value: number, text: string) => ({ type: 'raw_number', value, text });
const orders = [
  { id: 'A-1', total: 12.5, customer: { name: 'Ada' } },
  { id: 'A-2', total: 7, customer: { name: '' } },
  { id: 'A-3', total: 100, customer: { name: 'Grace' } },
];

const table = (more: object = {}) => ({
  type: 'table',
  source: 'orders',
  columns: [
    { header: 'Order', value: '{{this.id}}' },
    { header: 'By', value: '{{this.customer.name}}', is_wrapped: true },
    { header: '{{currency}}', value: '{{this.total | number:2}}', align: 'right' },
  ],
  ...more,
});

describe('a table with a source', () => {
  it('has a row for each item of the list', () => {
    const { blocks, warnings } = compile([table({ id: 't' })], { orders, currency: 'EUR' });
    expect(blocks).toEqual([
      {
        type: 'table',
        block_id: 't',
        rows: [
          [raw('Order'), raw('By'), raw('EUR')],
          [raw('A-1'), raw('Ada'), raw('12.50')],
          [raw('A-2'), raw('–'), raw('7.00')],
          [raw('A-3'), raw('Grace'), raw('100.00')],
        ],
        column_settings: [null, { is_wrapped: true }, { align: 'right' }],
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it('keeps numbers of a data_table as numbers, also under quoted keys', () => {
    const columns = [
      { header: 'Name', value: "{{this['First Name']}}" },
      { header: 'Sum', value: '{{ row["Sum | €"] | number:2 }}' },
    ];
    const bound = { type: 'data_table', caption: 'x', source: '["my rows"]', as: 'row', columns };
    const { blocks } = compile([bound], { 'my rows': [{ 'First Name': 'Ada', 'Sum | €': 3 }] });
    expect(blocks).toMatchObject([{ rows: [expect.anything(), [raw('Ada'), figure(3, '3.00')]] }]);
  });

  it('shows as many rows as it is told to, and tells of the others', () => {
    const bound = table({ max_rows: 1, overflow_text: '… and {{remaining}} more', as: 'order' });
    const { blocks } = compile([bound], { orders, currency: 'EUR' });
    expect(blocks).toMatchObject([
      {
        rows: [
          expect.anything(),
          [raw('A-1'), raw('Ada'), raw('12.50')],
          [raw('… and 2 more'), raw('–'), raw('–')],
        ],
      },
    ]);
  });

  it('shows as many rows as fit where it tells of the others', () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ id: index }));
    const bound = {
      type: 'table',
      source: 'orders',
      overflow_text: '{{remaining}} more',
      columns: [{ header: 'Order', value: '{{this.id}}' }],
    };
    const { blocks } = compile([bound], { orders: many });
    expect(blocks).toMatchObject([{ rows: { length: 100, 98: [raw('97')], 99: [raw('402 more')] } }]);
    const all = compile([bound], { orders: many.slice(0, 99) });
    expect(all.blocks).toMatchObject([{ rows: { length: 100, 99: [raw('98')] } }]);
    const { overflow_text: _, ...strict } = bound;
    expect(problemsOf([strict], { orders: many })).toMatchObject([
      { pointer: '/0/source', limit: 'table.rows', max: 100, actual: 501 },
    ]);
  });

  it('is left out where there is no list or nothing in it, and says so', () => {
    expect(compile([table()], { orders: [], currency: 'EUR' })).toMatchObject({
      blocks: [],
      warnings: ['/0: the table block is left out, because its `rows` came out empty.'],
    });
    expect(compile([table()], { currency: 'EUR' }).warnings).toContainEqual(
      expect.stringContaining('/0/source: `orders` is missing'),
    );
  });

  it('keeps numbers in a data table, so that readers can sort by them', () => {
    const bound = { ...table(), type: 'data_table', caption: 'Orders', page_size: 10 };
    const { blocks } = compile([bound], { orders: orders.slice(0, 1), currency: 'EUR' });
    expect(blocks).toEqual([
      {
        type: 'data_table',
        caption: 'Orders',
        page_size: 10,
        rows: [
          [raw('Order'), raw('By'), raw('EUR')],
          [raw('A-1'), raw('Ada'), figure(12.5, '12.50')],
        ],
      },
    ]);
  });

  it('cuts its longest cells where the text is too long in all', () => {
    const long = [{ id: 'x'.repeat(9_000) }, { id: 'y'.repeat(6_000) }, { id: 'short' }];
    const bound = { type: 'table', source: 'list', columns: [{ header: 'Id', value: '{{this.id}}' }] };
    const result = compile([bound], { list: long });
    expect(result.fieldsTruncated).toBe(2);
    expect(result.warnings).toEqual([expect.stringContaining('table.text_total')]);
    const texts = JSON.stringify(result.blocks)
      .match(/[xy]+…/g)
      ?.map(({ length }) => length);
    expect(texts).toEqual([4_996, 4_996]);
  });

  it.each([
    [
      'a path without its braces',
      { columns: [{ header: 'A', value: 'id' }] },
      '/0/columns/0/value',
      'placeholder.place',
    ],
    [
      'a bad placeholder',
      { columns: [{ header: 'A', value: '{{this.id | nope}}' }] },
      '/0/columns/0/value',
      'filter.unknown',
    ],
    ['a column without its value', { columns: [{ header: 'A' }] }, '/0/columns/0', 'required'],
    [
      'an unknown key of a column',
      { columns: [{ header: 'A', value: '{{this}}', width: 1 }] },
      '/0/columns/0/width',
      'key.unknown',
    ],
    [
      'an unknown alignment',
      { columns: [{ header: 'A', value: '{{this}}', align: 'up' }] },
      '/0/columns/0/align',
      'value.choice',
    ],
    ['no columns', { columns: [] }, '/0/columns', 'limit.min'],
    ['columns that are no list', { columns: 'x' }, '/0/columns', 'value.type'],
    ['a source that is no path', { source: '{{orders}}' }, '/0/source', 'path.syntax'],
    ['more rows than fit', { max_rows: 100 }, '/0/max_rows', 'limit.max'],
    ['rows beside the source', { rows: [[raw('x')]] }, '/0/rows', 'key.one_of'],
    ['an unknown key', { colums: [] }, '/0/colums', 'key.unknown'],
  ])('refuses %s, with a pointer to it', (_, more, pointer, rule) => {
    const blocks = [table(more)];
    expect(problemsOf(blocks)).toMatchObject([{ pointer, rule }]);
    expect(resolvePointer(blocks, pointer)).toBeDefined();
  });
});
