import { describe, expect, it } from '@jest/globals';
import { compile, directive, problemsOf, section } from '../testing/compile.ts';

const raw = (text: string) => ({ type: 'raw_text', text });
const table = (...rows: unknown[]) => ({ type: 'table', rows });

describe('a table', () => {
  it('is one of its kind in a message, a container’s included', () => {
    const one = table([raw('a')]);
    const box = { type: 'container', title: { type: 'plain_text', text: 'Box' }, child_blocks: [one] };
    expect(compile([one, section('x')]).blocks).toHaveLength(2);
    expect(problemsOf([one, box])).toMatchObject([
      { pointer: '/1/child_blocks/0', limit: 'message.tables', max: 1, actual: 2 },
    ]);
    const loop = directive('#each', { path: 'list', children: [one] });
    expect(problemsOf([loop], { list: [1, 2] })).toMatchObject([{ pointer: '/0/children/0' }]);
  });

  it('has rows and cells that directives make, one as wide as the other', () => {
    const row = [
      raw('{{this.name}}'),
      directive('#each', { path: 'this.figures', children: [raw('{{this}}')] }),
    ];
    const rows = directive('#each', {
      path: 'list',
      children: [row],
      max_items: 2,
      overflow_text: '{{remaining}} more',
    });
    const list = [
      { name: 'A', figures: [1, 2] },
      { name: '', figures: [3] },
      { name: 'C', figures: [] },
    ];
    const { blocks, warnings } = compile([table([raw('Name'), raw('1'), raw('2')], rows)], { list });
    expect(blocks).toEqual([
      table(
        [raw('Name'), raw('1'), raw('2')],
        [raw('A'), raw('1'), raw('2')],
        [raw('–'), raw('3'), raw('–')],
        [raw('1 more'), raw('–'), raw('–')],
      ),
    ]);
    expect(warnings).toEqual([expect.stringContaining('/0/rows: rows with less than 3 cells')]);
  });

  it('refuses rows of different widths that the template writes out', () => {
    expect(problemsOf([table([raw('a'), raw('b')], [raw('c')])])).toMatchObject([
      { pointer: '/0/rows/1', rule: 'table.width' },
    ]);
  });

  it('refuses more text than it may hold where nothing of it can be cut', () => {
    const rich = (text: string) => ({
      type: 'rich_text',
      elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
    });
    const long = 'x'.repeat(6_000);
    expect(problemsOf([table([rich(long)], [rich(long)])])).toMatchObject([
      { pointer: '/0/rows', limit: 'table.text_total', max: 10_000, actual: 12_000 },
    ]);
    expect(compile([table([rich(long)], [raw(long)])]).fieldsTruncated).toBe(1);
  });

  it('has no rich text in the header of a data table', () => {
    const rich = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [] }] };
    const blocks = [
      {
        type: 'data_table',
        caption: 'x',
        rows: [
          [raw('a'), rich],
          [raw('b'), raw('c')],
        ],
      },
    ];
    expect(problemsOf(blocks)).toMatchObject([{ pointer: '/0/rows/0/1' }]);
  });
});

describe('a chart', () => {
  const bars = (series: unknown[], categories: string[]) => ({
    type: 'data_visualization',
    title: 'T',
    chart: { type: 'bar', series, axis_config: { categories } },
  });
  const data = (...labels: string[]) => labels.map((label, index) => ({ label, value: index }));

  it.each([
    ['a point too few', [{ name: 'A', data: data('x') }], ['x', 'y'], '/0/chart/series/0/data'],
    ['points in another order', [{ name: 'A', data: data('y', 'x') }], ['x', 'y'], '/0/chart/series/0/data'],
    [
      'two series of one name',
      [
        { name: 'A', data: data('x') },
        { name: 'A', data: data('x') },
      ],
      ['x'],
      '/0/chart/series',
    ],
    [
      'a category twice',
      [{ name: 'A', data: data('x', 'x') }],
      ['x', 'x'],
      '/0/chart/axis_config/categories',
    ],
    [
      '21 points',
      [{ name: 'A', data: data(...Array.from({ length: 21 }, (_, at) => `${at}`)) }],
      ['x'],
      '/0/chart/series/0/data',
    ],
  ])('refuses %s', (_, series, categories, pointer) => {
    expect(problemsOf([bars(series, categories)]).map((problem) => problem.pointer)).toContain(pointer);
  });

  it('is left out, with a warning, where data breaks it', () => {
    const broken = bars([{ name: 'A', data: [{ label: 'x', value: '{{gone}}' }, ...data('y')] }], ['x', 'y']);
    expect(compile([broken])).toMatchObject({
      blocks: [],
      warnings: expect.arrayContaining([expect.stringContaining('the data_visualization block is left out')]),
    });
  });

  it('takes numbers that the data has as text, and no other text', () => {
    const pie = {
      type: 'data_visualization',
      title: 'T',
      chart: { type: 'pie', segments: [{ label: 'a', value: '{{n}}' }] },
    };
    expect(compile([pie], { n: '2.5' }).blocks).toMatchObject([{ chart: { segments: [{ value: 2.5 }] } }]);
    expect(problemsOf([pie], { n: 'many' })).toMatchObject([{ rule: 'value.type' }]);
    expect(problemsOf([pie], { n: -1 })).toMatchObject([{ pointer: '/0/chart/segments/0/value' }]);
  });

  it('shortens values, and no text of the template, for the numbers that tell equal labels apart', () => {
    const labelsOf = (label: string, names: readonly string[]): unknown => {
      const block = { type: 'chart', title: 'T', chart: 'pie', source: 'l', label, value: '{{@number}}' };
      const { blocks } = compile([block], { l: names });
      return JSON.parse(JSON.stringify(blocks[0])).chart.segments.map((it: { label: string }) => it.label);
    };
    const name = 'Kubernetes-controller';
    expect(labelsOf('{{this}} (EU)', [name, 'short', name, 'short', name])).toEqual([
      'Kubernetes-con… (EU)',
      'short (EU)',
      'Kubernetes-c… (EU) 2',
      'short (EU) 2',
      'Kubernetes-c… (EU) 3',
    ]);
    // Two values of the data may be cut to the same label.
    expect(labelsOf('{{this}}', [`${name}-1`, `${name}-2`])).toEqual([
      'Kubernetes-controll…',
      'Kubernetes-contro… 2',
    ]);
  });

  it('may occur twice in a message, not three times', () => {
    const chart = bars([{ name: 'A', data: data('x') }], ['x']);
    expect(compile([chart, chart]).blocks).toHaveLength(2);
    const bound = {
      type: 'chart',
      title: 'T',
      chart: 'bar',
      source: 'l',
      label: '{{@number}}',
      value: '{{this}}',
    };
    expect(problemsOf([chart, bound, chart], { l: [1] })).toMatchObject([
      { pointer: '/2', limit: 'message.charts', max: 2, actual: 3 },
    ]);
  });
});
