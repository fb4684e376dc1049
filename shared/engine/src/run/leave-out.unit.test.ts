import { describe, expect, it } from '@jest/globals';
import { limits } from '../index.ts';
import {
  attempt,
  compile,
  directive,
  header,
  type Options,
  problemsOf,
  resolvePointer,
  section,
  textsOf,
} from '../testing/compile.ts';

const lenient: Options = { leavesOut: true };

const plain = (text: string) => ({ type: 'plain_text', text });
const image = (url: string) => ({ type: 'image', image_url: url, alt_text: 'x' });
const button = (id: string, more: object = {}) => ({
  type: 'button',
  action_id: id,
  text: plain('Go'),
  ...more,
});
const each = (...children: unknown[]) => directive('#each', { path: 'events', as: 'e', children });
const eachOf = (path: string, ...children: unknown[]) => directive('#each', { path, children });

/** Events of which the second is odd: an object where text is wanted, and an address that is none. */
const events = [
  { user: 'ada', avatar: 'https://e.com/a.png' },
  { user: { name: 'SECRET' }, avatar: '/SECRET.png' },
  { user: 'grace', avatar: 'https://e.com/g.png' },
];

/** Where the list stands, the template, and what is left of the three events. */
const lists: [string, unknown[], unknown][] = [
  ['blocks', [each(section('{{e.user}}'))], [section('ada'), section('grace')]],
  [
    'elements',
    [{ type: 'context', elements: [each(image('{{e.avatar}}'))] }],
    [{ type: 'context', elements: [image('https://e.com/a.png'), image('https://e.com/g.png')] }],
  ],
  [
    'fields',
    [{ type: 'section', fields: [each({ type: 'mrkdwn', text: '{{e.user}}' })] }],
    [
      {
        type: 'section',
        fields: [
          { type: 'mrkdwn', text: 'ada' },
          { type: 'mrkdwn', text: 'grace' },
        ],
      },
    ],
  ],
  [
    'options of a source',
    [
      {
        type: 'actions',
        elements: [
          {
            type: 'static_select',
            action_id: 's',
            options: { source: 'events', item: { text: plain('{{this.user}}'), value: '{{@number}}' } },
          },
        ],
      },
    ],
    [
      {
        type: 'actions',
        elements: [
          {
            type: 'static_select',
            action_id: 's',
            options: [
              { text: plain('ada'), value: '1' },
              { text: plain('grace'), value: '3' },
            ],
          },
        ],
      },
    ],
  ],
  [
    'cells of a table with a source, where the column stays',
    [
      {
        type: 'table',
        source: 'events',
        columns: [
          { header: 'No.', value: '{{@number}}' },
          { header: 'User', value: '{{this.user}}' },
        ],
      },
    ],
    [
      {
        type: 'table',
        rows: [
          ['No.', 'User'],
          ['1', 'ada'],
          ['2', '–'],
          ['3', 'grace'],
        ].map((row) => row.map((text) => ({ type: 'raw_text', text }))),
      },
    ],
  ],
  [
    'cells of rows',
    [
      {
        type: 'table',
        rows: [
          [
            { type: 'raw_text', text: 'Users' },
            { type: 'raw_text', text: 'Second' },
          ],
          [
            { type: 'raw_text', text: '{{events[0].user}}' },
            { type: 'raw_text', text: '{{events[1].user}}' },
          ],
        ],
      },
    ],
    [
      {
        type: 'table',
        rows: [
          ['Users', 'Second'],
          ['ada', '–'],
        ].map((row) => row.map((text) => ({ type: 'raw_text', text }))),
      },
    ],
  ],
  [
    'cards of a carousel',
    [
      {
        type: 'carousel',
        source: 'events',
        item: { type: 'card', body: { type: 'mrkdwn', text: '{{this.user}}' } },
      },
    ],
    [
      {
        type: 'carousel',
        elements: ['ada', 'grace'].map((text) => ({ type: 'card', body: { type: 'mrkdwn', text } })),
      },
    ],
  ],
  [
    'points of a chart',
    [
      {
        type: 'chart',
        chart: 'pie',
        title: 'x',
        source: 'events',
        label: '{{this.user}}',
        value: '{{@number}}',
      },
    ],
    [
      {
        type: 'data_visualization',
        title: 'x',
        chart: {
          type: 'pie',
          segments: [
            { label: 'ada', value: 1 },
            { label: 'grace', value: 3 },
          ],
        },
      },
    ],
  ],
  [
    'pieces of rich text',
    [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [each({ type: 'text', text: '{{e.user}} ' })] }],
      },
    ],
    [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'ada ' },
              { type: 'text', text: 'grace ' },
            ],
          },
        ],
      },
    ],
  ],
];

describe('a run that leaves out', () => {
  it.each(lists)('leaves out the odd one of %s, and names it', (_, blocks, left) => {
    expect(attempt(blocks, { events })).toMatchObject({ ok: false });
    const result = compile(blocks, { events }, lenient);
    expect(result.blocks).toEqual(left);
    expect(result.leftOut).toMatchObject({
      count: 1,
      entries: [{ rule: 'entry.left_out', path: expect.stringMatching(/^events\[1\]/) }],
    });
    for (const { pointer } of result.leftOut?.entries ?? []) {
      expect(resolvePointer(blocks, pointer)).toBeDefined();
    }
    expect(result.warnings.join()).toContain('events[1]');
    expect(JSON.stringify(result)).not.toContain('SECRET');
  });

  it('leaves out the innermost entry alone, and what is around it stays', () => {
    const blocks = [
      header('Digest'),
      each(section('{{e.id}}'), { type: 'context', elements: [plain('by'), plain('{{e.user}}')] }),
    ];
    const data = { events: [{ id: 1, user: { name: 'ada' } }] };
    expect(compile(blocks, data, lenient).blocks).toEqual([
      header('Digest'),
      section('1'),
      { type: 'context', elements: [plain('by')] },
    ]);
  });

  it('makes what an ordinary run makes where the data fits', () => {
    const blocks = [header('{{title}}'), each(section('{{e.user}} {{e.gone}}'))];
    const data = { title: 'x', events: [{ user: 'ada' }, 'ada', null] };
    expect(compile(blocks, data, lenient)).toEqual(compile(blocks, data));
  });

  it('keeps to problems where it is strict', () => {
    const blocks = [each(section('{{e.user}}'))];
    const strict = { ...lenient, strict: true };
    expect(attempt(blocks, { events }, strict)).toEqual(attempt(blocks, { events }, { strict: true }));
  });

  it('says of an id that is too long which limit it is over, and not what it is', () => {
    const blocks = [each(section('x', { block_id: '{{e.id}}' }))];
    const data = { events: [{ id: 'SECRET'.repeat(50) }, { id: 'b' }] };
    const { blocks: made, warnings } = compile(blocks, data, lenient);
    expect(made).toMatchObject([{ block_id: 'b' }]);
    expect(warnings).toEqual([
      '/0/children/0/block_id: the entry of `events[0]` is left out: its value is over its limit: at most 255 characters fit (limit `block.block_id`), and there are 300.',
    ]);
  });

  it('counts and notes nothing of an entry that it leaves out', () => {
    const long = 'x'.repeat(8_000);
    const odd = { type: 'section', fields: [{ type: 'mrkdwn', text: '{{e.long}} {{e.gone}}' }] };
    const blocks = [
      each({ ...odd, block_id: '{{e.user}}' }, { type: 'markdown', text: '{{e.text}}' }),
      { type: 'markdown', text: '{{rest}}' },
    ];
    const data = { events: [{ long, user: 'u'.repeat(300), text: '' }], rest: long };
    const result = compile(blocks, data, lenient);
    expect(result.fieldsTruncated).toBe(0);
    expect(result.warnings).toEqual([
      expect.stringContaining('left out: its value is over its limit'),
      expect.stringContaining('the markdown block is left out'),
    ]);
  });

  it('keeps the first of a list that is over its maximum, and says how many it left out', () => {
    const data = { events: Array.from({ length: 60 }, (_, index) => ({ user: `u${index}` })) };
    const blocks = [header('x'), each(section('{{e.user}}')), section('end')];
    const result = compile(blocks, data, lenient);
    expect(textsOf(result.blocks)).toEqual(['x', ...Array.from({ length: 49 }, (_, index) => `u${index}`)]);
    expect(result.leftOut).toEqual({
      count: 12,
      entries: [
        {
          pointer: '',
          rule: 'entry.left_out',
          message:
            'the last 12 of 62 entries are left out: at most 50 items fit here (limit `message.blocks`).',
        },
      ],
    });
  });

  it('keeps the first of a list inside an item, and names the item', () => {
    const fields = { type: 'section', fields: [eachOf('this.tags', { type: 'mrkdwn', text: '{{this}}' })] };
    const data = { events: [{ tags: ['a'] }, { tags: Array.from({ length: 13 }, (_, at) => `t${at}`) }] };
    const { blocks, leftOut } = compile([eachOf('events', fields)], data, lenient);
    expect(blocks.map(({ fields: made }) => (Array.isArray(made) ? made.length : 0))).toEqual([1, 10]);
    expect(leftOut).toMatchObject({
      count: 3,
      entries: [{ path: 'events[1]', pointer: '/0/children/0/fields' }],
    });
  });

  it('keeps the first table of a message that may hold one', () => {
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: '{{e.user}}' }]] };
    const data = { events: [{ user: { name: 'odd' } }, { user: 'a' }, { user: 'b' }] };
    const { blocks, leftOut } = compile([each(table)], data, lenient);
    expect(JSON.stringify(blocks)).toContain('–');
    expect(blocks).toHaveLength(1);
    expect(leftOut?.count).toBe(3);
  });

  it('counts a value of the fallback text as missing', () => {
    const options = { ...lenient, fallbackText: 'New of {{events[1].user}}' };
    const result = compile([header('x')], { events }, options);
    expect(result.text).toBe('New of ');
    expect(result.leftOut).toMatchObject({
      count: 1,
      entries: [{ pointer: '/fallback_text', path: 'events[1].user' }],
    });
  });

  it('may leave out everything', () => {
    const { blocks, leftOut } = compile([each(section('{{e.user}}'))], { events: [events[1]] }, lenient);
    expect(blocks).toEqual([]);
    expect(leftOut?.count).toBe(1);
  });

  it('still ends where the work is too much', () => {
    const nested = eachOf('list', eachOf('../list', section('x')));
    const list = Array(300).fill(1);
    expect(problemsOf([nested], { list }, lenient)).toMatchObject([{ rule: 'budget' }]);
  });
});

describe('interactions of a run that leaves out', () => {
  const open = (data: object) => [
    { type: 'open_modal', modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f', data },
  ];
  const row = section('{{e.user}}', {
    accessory: button('go', { interaction: open({ note: '{{e.note}}' }) }),
  });

  it('go with the entry that is left out', () => {
    const { metadata } = compile(
      [each(row)],
      {
        events: [
          { user: {}, note: 'a' },
          { user: 'b', note: 'b' },
        ],
      },
      lenient,
    );
    expect(JSON.parse(metadata?.event_payload.context ?? '')).toEqual({
      values: { 'e.note': 'b' },
      elements: { go_1: { of: 'go' } },
    });
  });

  it('stay with the first elements that fit into the metadata; the others are left out, and their blocks stay', () => {
    const note = 'n'.repeat(500);
    const data = {
      events: Array.from({ length: 10 }, (_, at) => ({ user: `u${at}`, note: `${note}${at}` })),
    };
    expect(attempt([each(row)], data)).toMatchObject({ ok: false });
    const { blocks, metadata, leftOut } = compile([each(row)], data, lenient);
    expect(textsOf(blocks)).toEqual(data.events.map(({ user }) => user));
    const acting = blocks.filter((block) => block.accessory !== undefined);
    expect(acting).toHaveLength(6);
    expect(Object.keys(JSON.parse(metadata?.event_payload.context ?? '').elements)).toHaveLength(6);
    expect(leftOut).toMatchObject({
      count: 4,
      entries: [{ pointer: '/0/children/0/accessory/interaction', rule: 'entry.left_out' }],
    });
  });

  it('take the block with them where it holds nothing else', () => {
    const interaction = open({ note: '{{e.note}}' });
    const actions = { type: 'actions', elements: [button('go', { interaction })] };
    const data = {
      events: [{ note: 'x' }, { note: 'y'.repeat(limits['interactivity.metadata_bytes'].max) }],
    };
    expect(compile([each(actions)], data, lenient).blocks).toEqual([
      { type: 'actions', elements: [button('go_0')] },
    ]);
  });

  it('are told apart: of two elements with one id the second gets another', () => {
    const data = { events: [{ id: 'a' }, { id: 'a' }] };
    const block = section('x', { accessory: button('{{e.id}}', { interaction: open({}) }) });
    const { blocks, leftOut } = compile([each(block)], data, lenient);
    expect(blocks).toEqual([
      section('x', { accessory: button('a') }),
      section('x', { accessory: button('a_1') }),
    ]);
    expect(leftOut).toBeUndefined();
  });
});
