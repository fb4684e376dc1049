import { describe, expect, it } from '@jest/globals';
import { compile, problemsOf, resolvePointer } from '../testing/compile.ts';

const raw = (text: string) => ({ type: 'raw_text', text });
const figure = (value: number, text: string) => ({ type: 'raw_number', value, text });
const plain = (text: string) => ({ type: 'plain_text', text });
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

describe('a pattern without its source', () => {
  it.each([
    [{ type: 'table', columns: [] }, '/0/columns'],
    [{ type: 'carousel', item: {} }, '/0/item'],
  ])('says what it goes with: %j', (block, pointer) => {
    expect(problemsOf([block])).toContainEqual(
      expect.objectContaining({ pointer, hint: expect.stringContaining('goes with a `source`') }),
    );
  });
});

describe('a chart with a source', () => {
  const chart = (more: object) => ({
    type: 'chart',
    title: 'Orders by week',
    source: 'weeks',
    label: '{{this.week}}',
    ...more,
  });
  const weeks = [
    { week: 'W1', shop: 3, online: '4.5' },
    { week: 'W2', shop: 0, online: 6 },
  ];
  const point = (label: string, value: number) => ({ label, value });

  it('draws a series of one value, named after what it measures', () => {
    const { blocks } = compile([chart({ chart: 'bar', value: '{{this.shop}}', y_label: 'Orders' })], {
      weeks,
    });
    expect(blocks).toEqual([
      {
        type: 'data_visualization',
        title: 'Orders by week',
        chart: {
          type: 'bar',
          series: [{ name: 'Orders', data: [point('W1', 3), point('W2', 0)] }],
          axis_config: { categories: ['W1', 'W2'], y_label: 'Orders' },
        },
      },
    ]);
    const named = compile([chart({ chart: 'line', value: '{{this.shop}}' })], { weeks }).blocks;
    expect(named).toMatchObject([{ chart: { series: [{ name: 'Orders by week' }] } }]);
  });

  it('draws several series', () => {
    const series = [
      { name: 'Shop', value: '{{this.shop}}' },
      { name: '{{other}}', value: '{{this.online}}' },
    ];
    const { blocks } = compile([chart({ chart: 'area', series, x_label: 'Week' })], {
      weeks,
      other: 'Online',
    });
    expect(blocks).toMatchObject([
      {
        chart: {
          type: 'area',
          series: [
            { name: 'Shop', data: [point('W1', 3), point('W2', 0)] },
            { name: 'Online', data: [point('W1', 4.5), point('W2', 6)] },
          ],
          axis_config: { categories: ['W1', 'W2'], x_label: 'Week' },
        },
      },
    ]);
  });

  it('leaves out what a pie cannot show, and says so', () => {
    const { blocks, warnings } = compile([chart({ chart: 'pie', value: '{{this.shop}}' })], { weeks });
    expect(blocks).toMatchObject([{ chart: { type: 'pie', segments: [point('W1', 3)] } }]);
    expect(warnings).toEqual([expect.stringContaining('item 2 is left out of the pie')]);
  });

  it('leaves out an item without its label or a value, and is left out with nothing to show', () => {
    const { blocks, warnings } = compile([chart({ chart: 'bar', value: '{{this.shop}}' })], {
      weeks: [{ week: 'W1' }, { shop: 2 }, { week: 'W3', shop: 1 }],
    });
    expect(blocks).toMatchObject([{ chart: { axis_config: { categories: ['W3'] } } }]);
    expect(warnings).toHaveLength(4);
    expect(compile([chart({ chart: 'bar', value: '{{this.shop}}' })], { weeks: [] }).blocks).toEqual([]);
  });

  it('tells labels apart that are the same', () => {
    const same = ['Mon', 'Mon', 'Mon 2', 'x'.repeat(30), 'x'.repeat(30)].map((week) => ({ week, shop: 1 }));
    const { blocks } = compile([chart({ chart: 'bar', value: '{{this.shop}}' })], { weeks: same });
    expect(blocks).toMatchObject([
      {
        chart: {
          axis_config: {
            categories: ['Mon', 'Mon 2', 'Mon 2 2', `${'x'.repeat(19)}…`, `${'x'.repeat(17)}… 2`],
          },
        },
      },
    ]);
  });

  it('refuses more points than a chart holds, unless it is told to show less', () => {
    const many = Array.from({ length: 30 }, (_, index) => ({ week: `W${index}`, shop: 1 }));
    const bars = (more: object = {}) => [chart({ chart: 'bar', value: '{{this.shop}}', ...more })];
    expect(problemsOf(bars(), { weeks: many })).toMatchObject([
      { pointer: '/0/source', limit: 'chart.points', actual: 30 },
    ]);
    expect(compile(bars({ max_items: 20 }), { weeks: many }).blocks).toHaveLength(1);
  });

  it.each([
    ['an unknown drawing', { chart: 'donut', value: '{{this.a}}' }, '/0/chart', 'value.choice'],
    [
      'a drawing that data chooses',
      { chart: '{{kind}}', value: '{{this.a}}' },
      '/0/chart',
      'placeholder.place',
    ],
    ['no value', { chart: 'bar' }, '/0', 'key.one_of'],
    ['a value beside series', { chart: 'bar', value: '{{this.a}}', series: [] }, '/0', 'key.one_of'],
    [
      'series in a pie',
      { chart: 'pie', series: [{ name: 'A', value: '{{this.a}}' }] },
      '/0/series',
      'key.one_of',
    ],
    ['a value with text around', { chart: 'bar', value: '{{this.a}} EUR' }, '/0/value', 'placeholder.place'],
    [
      'a label that is no placeholder',
      { chart: 'bar', label: 'week', value: '{{this.a}}' },
      '/0/label',
      'placeholder.place',
    ],
  ])('refuses %s, with a pointer to it', (_, more, pointer, rule) => {
    expect(problemsOf([chart(more)])).toMatchObject([{ pointer, rule }]);
  });
});

describe('a carousel with a source', () => {
  const carousel = (more: object = {}) => ({
    type: 'carousel',
    source: 'houses',
    as: 'house',
    item: {
      type: 'card',
      id: 'card',
      title: plain('{{house.name}}'),
      actions: [{ type: 'button', action_id: 'book', text: plain('Book'), value: '{{house.id}}' }],
    },
    ...more,
  });
  const houses = [
    { id: 1, name: 'Mill' },
    { id: 2, name: 'Barn' },
  ];

  it('has a card for each item, with ids of its own', () => {
    const card = (index: number, name: string, value: string) => ({
      type: 'card',
      block_id: `card_${index}`,
      title: plain(name),
      actions: [{ type: 'button', action_id: `book_${index}`, text: plain('Book'), value }],
    });
    expect(compile([carousel()], { houses }).blocks).toEqual([
      { type: 'carousel', elements: [card(0, 'Mill', '1'), card(1, 'Barn', '2')] },
    ]);
    expect(compile([carousel({ max_items: 1 })], { houses }).blocks).toMatchObject([
      { elements: [card(0, 'Mill', '1')] },
    ]);
  });

  it('points to what is wrong in its pattern', () => {
    expect(problemsOf([carousel({ item: { type: 'card', title: plain('{{x') } })])).toMatchObject([
      { pointer: '/0/item/title/text', rule: 'placeholder.syntax' },
    ]);
    expect(problemsOf([{ type: 'carousel', source: 'houses' }])).toMatchObject([
      { pointer: '/0', rule: 'required' },
    ]);
  });
});

describe('options with a source', () => {
  const options = {
    source: 'teams',
    item: { text: plain('{{this.name}}'), value: 'team-{{this.id}}' },
  };
  const teams = [
    { id: 1, name: 'Payments' },
    { id: 2, name: 'Platform' },
  ];
  const expected = teams.map(({ id, name }) => ({ text: plain(name), value: `team-${id}` }));

  it.each(['static_select', 'multi_static_select', 'overflow', 'checkboxes', 'radio_buttons'])(
    'are one for each item of the list: %s',
    (type) => {
      const { blocks } = compile([{ type: 'actions', elements: [{ type, action_id: 'a', options }] }], {
        teams,
      });
      expect(blocks).toEqual([{ type: 'actions', elements: [{ type, action_id: 'a', options: expected }] }]);
    },
  );

  it('are held against the limit of their element', () => {
    const many = Array.from({ length: 11 }, (_, id) => ({ id, name: 'x' }));
    const blocks = [{ type: 'actions', elements: [{ type: 'checkboxes', action_id: 'a', options }] }];
    expect(problemsOf(blocks, { teams: many })).toMatchObject([
      { pointer: '/0/elements/0/options/source', limit: 'checkboxes.options', actual: 11 },
    ]);
  });

  it('refuse a key that they do not have', () => {
    const blocks = [
      {
        type: 'actions',
        elements: [{ type: 'overflow', action_id: 'a', options: { ...options, items: [] } }],
      },
    ];
    expect(problemsOf(blocks)).toMatchObject([
      { pointer: '/0/elements/0/options/items', rule: 'key.unknown', hint: 'Did you mean `item`?' },
    ]);
  });
});
