import { describe, expect, it } from '@jest/globals';
import { blockSchema } from '../inspect/schema/block-schema.ts';
import { limitOf, limits } from '../limits.ts';
import { compile, directive, problemsOf } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const asked = (element: object) => [{ type: 'input', label: plain('x'), element }];
const view = { surface: 'view' } as const;
const raw = (text: string) => ({ type: 'raw_text', text });

describe('what third parties alone say is refused', () => {
  const plan = { type: 'plan', title: 'x' };
  const rows = [[raw('a')], [raw('b')]];

  it.each([
    ['two plans', [plan, plan], {}, '/1: '],
    [
      'a table with a data table',
      [
        { type: 'table', rows },
        { type: 'data_table', caption: 'x', rows },
      ],
      {},
      '',
    ],
    ['a file input in a message', asked({ type: 'file_input', action_id: 'a' }), {}, '/0/element: '],
    [
      'an answer address in a message',
      asked({ type: 'channels_select', action_id: 'a', response_url_enabled: true }),
      {},
      '/0/element/response_url_enabled: ',
    ],
    [
      'an icon of a task',
      [{ type: 'task_card', task_id: 'a', title: 'x', icon: { type: 'icon', name: 'gear' } }],
      {},
      '/0/icon: ',
    ],
    [
      'a task of a plan without its title',
      [{ ...plan, tasks: [{ task_id: 'a', title: 'x', hide_title: true }] }],
      {},
      '/0/tasks/0/hide_title: ',
    ],
  ])('is warned of with its source, and passes: %s', (_, blocks, options, start) => {
    const result = compile(blocks, {}, options);
    expect(result.blocks).toEqual(blocks);
    expect(result.warnings).toEqual([expect.stringContaining('may refuse')]);
    expect(result.warnings[0]?.startsWith(start)).toBe(true);
    expect(result.warnings[0]).toMatch(/sources?: (?:third-party validators|slack-morphism)/);
  });

  it('is warned of once for the numbers in a table, at the first of them, where directives hold it too', () => {
    const number = { type: 'raw_number', value: 1, text: '1' };
    const warned = (children: unknown[]) =>
      compile([{ type: 'table', rows: children }], { list: [1, 2] }).warnings;
    expect(warned([[raw('a')], [number], [number]])).toEqual([
      expect.stringMatching(/^\/0\/rows\/1\/0: the platform may refuse a `raw_number` in a `table`/),
    ]);
    const looped = [[raw('a')], directive('#each', { path: 'list', children: [[number]] })];
    expect(warned(looped)).toEqual([expect.stringMatching(/^\/0\/rows\/1\/children\/0\/0: /)]);
    const sorted = [{ type: 'data_table', caption: 'x', rows: [[raw('a')], [number]] }];
    expect(compile(sorted).warnings).toEqual([]);
  });

  it.each([
    ['one plan', [plan]],
    ['a table alone', [{ type: 'table', rows }]],
  ])('warns of nothing else: %s', (_, blocks) => {
    expect(compile(blocks).warnings).toEqual([]);
  });

  it('is no matter in a view, where both may stand', () => {
    for (const element of [
      { type: 'file_input', action_id: 'a' },
      { type: 'channels_select', action_id: 'a', response_url_enabled: true },
    ]) {
      expect(compile(asked(element), {}, view).warnings).toEqual([]);
    }
  });
});

describe('a figure that sources disagree about', () => {
  const disputed = Object.entries(limits).filter(([, limit]) => 'disputed' in limit);

  it('is in the table with both figures, and the smaller one is held', () => {
    expect(disputed.map(([name]) => name)).toEqual([
      'data_table.rows',
      'data_table.text_total',
      'chart.segments',
      'chart.series',
    ]);
    expect(blockSchema().limits).toMatchObject({ 'data_table.rows': { max: 101, disputed: { max: 201 } } });
    expect(limitOf('chart.series').disputed?.source).toContain('third-party');
  });

  it('is named with its source where a message stands between the two', () => {
    const rows = Array.from({ length: 150 }, () => [raw('x')]);
    const [problem] = problemsOf([{ type: 'data_table', caption: 'x', rows }]);
    expect(problem).toMatchObject({ limit: 'data_table.rows', max: 101, actual: 150 });
    expect(problem?.message).toContain(
      'Sources disagree about this figure: it is 201 by the documentation page',
    );
  });
});
