import { describe, expect, it } from '@jest/globals';
import { compile, directive, header, problemsOf, section, textsOf } from '../testing/compile.ts';

describe('what is unknown', () => {
  it.each([
    [{ type: 'sektion' }, '/0/type', 'type.unknown', 'Did you mean `section`?'],
    [{ type: 'Divider' }, '/0/type', 'type.unknown', 'Did you mean `divider`?'],
    [{ type: 'rich-text', elements: [] }, '/0/type', 'type.unknown', 'Did you mean `rich_text`?'],
    [section('x', { accesory: {} }), '/0/accesory', 'key.unknown', 'Did you mean `accessory`?'],
    [
      { type: 'actions', elements: [{ type: 'knopf' }] },
      '/0/elements/0/type',
      'type.unknown',
      expect.any(String),
    ],
    [
      { type: 'header', text: { type: 'mrkdwn', text: 'x' } },
      '/0/text/type',
      'type.unknown',
      expect.any(String),
    ],
  ])('is refused with the nearest known name: %j', (block, pointer, rule, hint) => {
    expect(problemsOf([block])).toMatchObject([{ pointer, rule, hint }]);
  });

  it('is refused with a readable message', () => {
    const [image] = problemsOf([{ type: 'image', image_url: 'https://e.com', alt_text: 'x', titel: 1 }]);
    expect(image?.message).toBe('An image block has no key `titel`.');
    const [alert] = problemsOf([{ type: 'alert', text: { type: 'plain_text', text: 'x' } }]);
    expect(alert?.message).toBe('An `alert` block cannot stand in a message.');
  });

  it.each([
    ['dat', undefined],
    ['divder', 'divider'],
    ['contect', 'context'],
    ['contex_actions', 'context_actions'],
    ['dropdown', undefined],
  ])('is compared with names that are near, not with those that are not: %s', (type, nearest) => {
    const [problem] = problemsOf([{ type }]);
    const hint =
      nearest === undefined ? expect.stringContaining('Known: header') : `Did you mean \`${nearest}\`?`;
    expect(problem?.hint).toEqual(hint);
  });

  it('is refused with a reason of its own for `file`', () => {
    const [problem] = problemsOf([{ type: 'file', external_id: 'x', source: 'remote' }]);
    expect(problem).toMatchObject({ rule: 'type.not_posted', message: expect.stringContaining('no app') });
  });

  it('names the types where one is missing', () => {
    expect(problemsOf([{ text: 'x' }])).toMatchObject([
      { pointer: '/0', rule: 'required', hint: expect.stringContaining('section') },
    ]);
  });

  it.each([['text'], [5], [null], [[]]])('is refused where it is no block: %j', (value) => {
    expect(problemsOf([value])).toMatchObject([{ pointer: '/0', rule: 'value.type' }]);
  });

  it('refuses a block on a surface where it cannot stand', () => {
    const blocks = [{ type: 'markdown', text: 'x' }];
    expect(problemsOf(blocks, {}, { surface: 'view' })).toMatchObject([
      { rule: 'type.surface', pointer: '/0/type' },
    ]);
  });
});

const option = (value: string) => ({ text: { type: 'plain_text', text: 'x' }, value });
const actions = (element: object) => [{ type: 'actions', elements: [element] }];
const button = (more: object = {}) => ({ type: 'button', text: { type: 'plain_text', text: 'Go' }, ...more });

describe('ids, addresses, values and counts over their limit', () => {
  it.each([
    ['block.block_id', [{ type: 'divider', id: 'x'.repeat(256) }], 256, '/0/id'],
    ['element.action_id', actions(button({ action_id: 'x'.repeat(256) })), 256, '/0/elements/0/action_id'],
    [
      'button.url',
      actions(button({ url: `https://e.com/${'x'.repeat(3_000)}` })),
      3_014,
      '/0/elements/0/url',
    ],
    [
      'image.image_url',
      [{ type: 'image', alt_text: 'x', image_url: `https://e.com/${'x'.repeat(3_000)}` }],
      3_014,
      '/0/image_url',
    ],
    [
      'option.value',
      actions({ type: 'overflow', options: [option('x'.repeat(151))] }),
      151,
      '/0/elements/0/options/0/value',
    ],
    [
      'section.fields',
      [{ type: 'section', fields: Array(11).fill({ type: 'mrkdwn', text: 'x' }) }],
      11,
      '/0/fields',
    ],
    [
      'context.elements',
      [{ type: 'context', elements: Array(11).fill({ type: 'mrkdwn', text: 'x' }) }],
      11,
      '/0/elements',
    ],
    ['actions.elements', [{ type: 'actions', elements: Array(26).fill(button()) }], 26, '/0/elements'],
    [
      'select.options',
      actions({ type: 'static_select', options: Array(101).fill(option('x')) }),
      101,
      '/0/elements/0/options',
    ],
    [
      'overflow.options',
      actions({ type: 'overflow', options: Array(6).fill(option('x')) }),
      6,
      '/0/elements/0/options',
    ],
    ['message.blocks', Array(51).fill({ type: 'divider' }), 51, ''],
  ])('are refused when written: %s', (limit, blocks, actual, pointer) => {
    expect(problemsOf(blocks)).toMatchObject([
      { rule: 'limit.max', limit, actual, pointer, max: expect.any(Number) },
    ]);
  });

  it.each([
    ['block.block_id', [{ type: 'divider', id: '{{long}}' }]],
    ['element.action_id', actions(button({ action_id: '{{long}}' }))],
    ['button.url', actions(button({ url: '{{long}}' }))],
    ['option.value', actions({ type: 'overflow', options: [option('{{long}}')] })],
  ])('are refused when data makes them: %s', (limit, blocks) => {
    expect(problemsOf(blocks, { long: 'x'.repeat(4_000) })).toMatchObject([
      { rule: 'limit.max', limit, actual: 4_000 },
    ]);
  });

  it('count what a loop makes, all of it', () => {
    const loop = directive('#each', { path: 'items', children: [option('x')] });
    const blocks = actions({ type: 'static_select', options: [loop] });
    expect(problemsOf(blocks, { items: Array(130).fill(0) })).toMatchObject([
      { limit: 'select.options', max: 100, actual: 130, pointer: '/0/elements/0/options' },
    ]);
  });

  it.each([
    [[{ type: 'context', elements: [] }], '/0/elements'],
    [actions({ type: 'overflow', options: [] }), '/0/elements/0/options'],
    [[{ type: 'section', fields: [] }], '/0/fields'],
  ])('may not be too few either: %j', (blocks, pointer) => {
    expect(problemsOf(blocks)).toMatchObject([{ rule: 'limit.min', pointer }]);
  });
});

describe('keys that belong together', () => {
  it.each([
    [[{ type: 'section' }], '/0'],
    [[{ type: 'image', alt_text: 'x' }], '/0'],
    [[{ type: 'image', alt_text: 'x', image_url: 'https://e.com', slack_file: { id: 'F1' } }], '/0'],
    [actions({ type: 'static_select' }), '/0/elements/0'],
  ])('are asked for: %j', (blocks, pointer) => {
    expect(problemsOf(blocks)).toMatchObject([{ rule: 'key.one_of', pointer }]);
  });

  it('refuses an initial option that is not offered', () => {
    const select = { type: 'static_select', options: [option('a')], initial_option: option('b') };
    expect(problemsOf(actions(select))).toMatchObject([
      { rule: 'value.not_offered', pointer: '/0/elements/0/initial_option' },
    ]);
  });

  it('leaves out an initial option that data makes one that is not offered, and warns', () => {
    const select = { type: 'static_select', options: [option('a')], initial_option: option('{{chosen}}') };
    const { blocks, warnings } = compile(actions(select), { chosen: 'gone' });
    expect(blocks).toEqual(actions({ type: 'static_select', options: [option('a')] }));
    expect(warnings).toEqual([expect.stringContaining('initial_option')]);
  });
});

describe('what comes out empty', () => {
  it('drops a block without its required text, and warns', () => {
    const { blocks, warnings } = compile([header('{{title}}'), section('x')], { title: '' });
    expect(textsOf(blocks)).toEqual(['x']);
    expect(warnings).toEqual(['/0: the header block is left out, because its `text` came out empty.']);
  });

  it('drops an element, and the block when none is left', () => {
    const text = (given: string) => ({ type: 'mrkdwn', text: given });
    expect(compile([{ type: 'context', elements: [text('{{a}}'), text('b')] }], { a: '' }).blocks).toEqual([
      { type: 'context', elements: [text('b')] },
    ]);
    expect(compile([{ type: 'context', elements: [text('{{a}}')] }], { a: '' }).blocks).toEqual([]);
  });

  it('leaves out an optional key', () => {
    const placeholder = { type: 'plain_text', text: '{{hint}}' };
    const select = { type: 'users_select', action_id: 'a', placeholder };
    expect(compile(actions(select), { hint: '' }).blocks).toEqual(
      actions({ type: 'users_select', action_id: 'a' }),
    );
  });

  it('keeps a section that still has fields', () => {
    const fields = [{ type: 'mrkdwn', text: 'f' }];
    expect(compile([section('{{a}}', { fields })], { a: '' }).blocks).toEqual([{ type: 'section', fields }]);
    expect(compile([section('{{a}}')], { a: '' }).blocks).toEqual([]);
  });

  it('drops rich text of which nothing is left, each part of it that is empty and no other', () => {
    const line = (text: string) => ({ type: 'rich_text_section', elements: [{ type: 'text', text }] });
    const rich = (...elements: unknown[]) => ({ type: 'rich_text', elements });
    const list = (...elements: unknown[]) => ({ type: 'rich_text_list', style: 'bullet', elements });
    const quote = { type: 'rich_text_quote', elements: [{ type: 'text', text: '{{a}}' }] };
    expect(compile([rich(line('{{a}}'), list(line('{{a}}')), quote)], { a: '' })).toMatchObject({
      blocks: [],
      warnings: expect.arrayContaining([
        '/0: the rich_text block is left out, because its `elements` came out empty.',
      ]),
    });
    expect(compile([rich(line('{{a}}'), list(line('{{a}}'), line('b')))], { a: '' }).blocks).toEqual([
      rich(list(line('b'))),
    ]);
  });

  it('shows no element without the question that was to be asked before it', () => {
    const confirm = { text: { type: 'plain_text', text: '{{question}}' } };
    expect(compile(actions(button({ action_id: 'a', confirm })), { question: '' }).blocks).toEqual([]);
  });

  it('keeps an empty value of a button', () => {
    expect(compile(actions(button({ value: '' }))).blocks).toEqual(actions(button({ value: '' })));
  });
});

describe('ids', () => {
  it('of a block are `block_id` in the output, whichever name they have', () => {
    expect(
      compile([
        { type: 'divider', id: 'a' },
        { type: 'divider', block_id: 'b' },
      ]).blocks,
    ).toEqual([
      { type: 'divider', block_id: 'a' },
      { type: 'divider', block_id: 'b' },
    ]);
  });

  it('refuse two names that say different things', () => {
    expect(problemsOf([{ type: 'divider', id: 'a', block_id: 'b' }])).toMatchObject([
      { rule: 'id.conflict' },
    ]);
    expect(compile([{ type: 'divider', id: 'a', block_id: 'a' }]).blocks).toEqual([
      { type: 'divider', block_id: 'a' },
    ]);
  });

  it('that a loop repeats get the number of the round', () => {
    const row = section('x', { id: 'row', accessory: button({ action_id: 'go' }) });
    const { blocks } = compile([directive('#each', { path: 'items', children: [row] })], { items: [1, 2] });
    expect(blocks).toMatchObject([
      { block_id: 'row_0', accessory: { action_id: 'go_0' } },
      { block_id: 'row_1', accessory: { action_id: 'go_1' } },
    ]);
  });

  it('get the numbers of all loops around', () => {
    const inner = directive('#each', { path: 'this', children: [{ type: 'divider', id: 'd' }] });
    const { blocks } = compile([directive('#each', { path: 'rows', children: [inner] })], {
      rows: [[1, 2], [3]],
    });
    expect(blocks.map((block) => block.block_id)).toEqual(['d_0_0', 'd_0_1', 'd_1_0']);
  });

  it('that data makes stay where they are unique, and else get a number', () => {
    const loop = directive('#each', { path: 'items', children: [section('x', { id: 'r-{{this}}' })] });
    const { blocks, warnings } = compile([loop], { items: ['a', 'b', 'a', 'a'] });
    expect(blocks.map((block) => block.block_id)).toEqual(['r-a', 'r-b', 'r-a_1', 'r-a_2']);
    expect(warnings).toHaveLength(2);
  });

  it('that the template gives twice are made unique too, and warned of', () => {
    const { blocks, warnings } = compile([section('x', { id: 'a' }), { type: 'divider', id: 'a' }]);
    expect(blocks.map((block) => block.block_id)).toEqual(['a', 'a_1']);
    expect(warnings).toEqual([expect.stringContaining('stands twice')]);
  });

  it('of tasks get the number of the round as well', () => {
    const task = { type: 'task_card', task_id: 't', title: '{{this}}' };
    const tasks = [directive('#each', { path: 'items', children: [task] })];
    const { blocks } = compile([{ type: 'plan', title: 'x', tasks }], { items: ['a', 'b'] });
    expect(blocks).toMatchObject([{ tasks: [{ task_id: 't_0' }, { task_id: 't_1' }] }]);
  });

  it('that the template gives once stay, also where a repeated one before them reads like it', () => {
    const { blocks } = compile(['a', 'a', 'a_1', 'a'].map((id) => ({ type: 'divider', id })));
    expect(blocks.map((block) => block.block_id)).toEqual(['a', 'a_2', 'a_1', 'a_3']);
    const buttons = ['x', 'x', 'x_1'].map((action_id) => button({ action_id }));
    expect(compile([{ type: 'actions', elements: buttons }]).blocks).toMatchObject([
      { elements: [{ action_id: 'x' }, { action_id: 'x_2' }, { action_id: 'x_1' }] },
    ]);
  });

  it('that were filled in once and stand twice, as those of a partial do, are made unique in silence', () => {
    const id = 'blk_01a232d3-4872-77c4-a340-6fad2f922904';
    const once = directive('#each', { path: 'items', children: [section('x', { id })] });
    const { blocks, warnings } = compile([once, once], { items: [1, 2] });
    expect(blocks.map((block) => block.block_id)).toEqual([`${id}_0`, `${id}_1`, `${id}_0_1`, `${id}_1_1`]);
    expect(warnings).toEqual([]);
  });

  it('do not collide with the suffix of another', () => {
    const loop = directive('#each', { path: 'items', children: [{ type: 'divider', id: 'a' }] });
    const { blocks } = compile([{ type: 'divider', id: 'a_0' }, loop], { items: [1, 2] });
    expect(new Set(blocks.map((block) => block.block_id)).size).toBe(3);
  });

  it('of blocks inside others are unique too, and those of the elements in each', () => {
    const card = (...actions: object[]) => ({
      type: 'card',
      id: 'a',
      title: { type: 'plain_text', text: 'x' },
      actions,
    });
    const go = button({ action_id: 'go' });
    const { blocks } = compile([
      { type: 'divider', id: 'a' },
      { type: 'carousel', elements: [card(go, go), card(go)] },
      {
        type: 'container',
        title: { type: 'plain_text', text: 'x' },
        child_blocks: [{ type: 'actions', id: 'a', elements: [go, go] }],
      },
    ]);
    expect(blocks).toMatchObject([
      { block_id: 'a' },
      {
        elements: [
          { block_id: 'a_1', actions: [{ action_id: 'go' }, { action_id: 'go_1' }] },
          { block_id: 'a_2', actions: [{ action_id: 'go' }] },
        ],
      },
      { child_blocks: [{ block_id: 'a_3', elements: [{ action_id: 'go' }, { action_id: 'go_1' }] }] },
    ]);
  });

  it('of elements may be the same in different blocks, as on the platform', () => {
    const blocks = [
      section('a', { accessory: button({ action_id: 'x' }) }),
      section('b', { accessory: button({ action_id: 'x' }) }),
    ];
    const result = compile(blocks);
    expect(result.blocks).toEqual(blocks);
    expect(result.warnings).toEqual([]);
  });

  it('of elements are unique in their block', () => {
    const block = { type: 'actions', elements: [button({ action_id: 'x' }), button({ action_id: 'x' })] };
    expect(compile([block]).blocks).toMatchObject([{ elements: [{ action_id: 'x' }, { action_id: 'x_1' }] }]);
  });
});
