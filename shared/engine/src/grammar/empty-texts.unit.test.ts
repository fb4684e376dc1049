import { describe, expect, it } from '@jest/globals';
import { attempt, compile, directive } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const actions = (...elements: object[]) => ({ type: 'actions', elements });
const button = (more: object) => actions({ type: 'button', action_id: 'a', text: plain('Go'), ...more });
const menu = (more: object) => actions({ type: 'multi_users_select', action_id: 'a', ...more });
const bare = (block: { elements: object[] }, key: string) => ({
  ...block,
  elements: block.elements.map((element) =>
    Object.fromEntries(Object.entries(element).filter(([name]) => name !== key)),
  ),
});

describe('an empty text of the data where no text stands', () => {
  it.each([
    ['a choice', button({ style: '{{v}}' }), 'style'],
    ['a person', actions({ type: 'users_select', action_id: 'a', initial_user: '{{v}}' }), 'initial_user'],
    ['a number', menu({ max_selected_items: '{{v}}' }), 'max_selected_items'],
    ['a flag', menu({ focus_on_load: '{{v}}' }), 'focus_on_load'],
    ['a list', menu({ initial_users: '{{v}}' }), 'initial_users'],
  ])('is left out like a missing one, without a warning: %s', (_, block, key) => {
    const { blocks, warnings } = compile([block], { v: '' }, { fallbackText: 'x' });
    expect(blocks).toEqual([bare(block, key)]);
    expect(warnings).toEqual([]);
    expect(attempt([block], { v: ' ' }).ok).toBe(key === 'initial_user' || key === 'initial_users');
  });

  it('takes the object with it that cannot stand without it', () => {
    const row = [{ type: 'raw_number', value: '{{this}}', text: '{{this}}' }];
    const rows = [[{ type: 'raw_text', text: 'A' }], directive('#each', { path: 'n', children: [row] })];
    const { blocks } = compile([{ type: 'data_table', caption: 'c', rows }], { n: [1, ''] });
    expect(blocks).toMatchObject([
      { rows: [[{ text: 'A' }], [{ value: 1 }], [{ type: 'raw_text', text: '–' }]] },
    ]);
    const chart = {
      type: 'chart',
      title: 'T',
      chart: 'bar',
      source: 'n',
      label: '{{@key}}',
      value: '{{this}}',
    };
    const drawn = compile([chart], { n: { a: 1, b: '' } });
    expect(drawn.blocks).toMatchObject([{ chart: { axis_config: { categories: ['a'] } } }]);
    expect(drawn.warnings).toEqual([expect.stringContaining('item 2 is left out of the chart')]);
  });

  it('is no entry of a list, and neither is null', () => {
    const people = { people: ['U1', null, '', 'U2'] };
    const block = menu({ initial_users: '{{people}}' });
    expect(compile([block], people).blocks).toEqual([menu({ initial_users: ['U1', 'U2'] })]);
    const seen = button({ visible_to_user_ids: '{{people}}' });
    expect(compile([seen], people).blocks).toEqual([button({ visible_to_user_ids: ['U1', 'U2'] })]);
    expect(compile([seen], { people: [null, ''] }).blocks).toEqual([]);
    expect(attempt([seen], { people: ['U1', 2] })).toMatchObject({ ok: false, code: 'invalid_data' });
  });
});
