import { describe, expect, it } from '@jest/globals';
import { compile, problemsOf } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
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

  it('draws numbers of any size that the filter `number` rounds, in every language', () => {
    const rounded = chart({ chart: 'bar', value: '{{this.shop | number:1}}' });
    const big = [
      { week: 'W1', shop: 1234.56 },
      { week: 'W2', shop: '-0.04' },
      { week: 'W3', shop: 2e21 },
    ];
    for (const locale of ['en-US', 'de-DE', 'ar-EG']) {
      const drawn = JSON.stringify(compile([rounded], { weeks: big }, { locale }).blocks);
      expect(drawn.match(/(?<="value":)[^}]*/g)).toEqual(['1234.6', '0', '2e+21']);
    }
  });

  it('tells series apart whose names are the same, of data or once they are cut', () => {
    const seriesOf = (...names: string[]) =>
      chart({ chart: 'bar', series: names.map((name) => ({ name, value: '{{this.shop}}' })) });
    const namesOf = (...names: string[]) =>
      JSON.stringify(compile([seriesOf(...names)], { weeks, team: 'Ops' }).blocks).match(
        /(?<="name":")[^"]*/g,
      );
    expect(namesOf('{{team}}', 'Ops')).toEqual(['Ops', 'Ops 2']);
    expect(namesOf('Requests per second p50', 'Requests per second p95')).toEqual([
      'Requests per second…',
      'Requests per seco… 2',
    ]);
    expect(namesOf('{{x}}', '{{y}}')).toEqual(['1', '2']);
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
