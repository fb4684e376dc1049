import { describe, expect, it } from '@jest/globals';
import { limits, parseTemplate, runProgram } from '../index.ts';
import {
  attempt,
  compile,
  directive,
  header,
  now,
  problemsOf,
  resolvePointer,
  section,
  textsOf,
} from '../testing/compile.ts';

describe('a template with several mistakes', () => {
  const blocks = [
    { type: 'sektion' },
    header('x'.repeat(10)),
    { type: 'header' },
    section('{{name | shout}}', { acessory: 'red' }),
    {
      type: 'actions',
      elements: [
        {
          type: 'button',
          text: { type: 'plain_text', text: 'x' },
          url: `https://e.com/${'x'.repeat(3_000)}`,
          style: 'loud',
        },
      ],
    },
    directive('#if', {
      condition: { path: 'a', operator: 'is' },
      children: [{ type: 'image', image_url: 'nowhere', alt_text: 'x' }],
    }),
    directive('#each', { path: 'items[', children: [] }),
  ];

  it('has a problem for each, with a pointer that leads to it', () => {
    const problems = problemsOf(blocks);
    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/0/type',
      '/2',
      '/3/text/text',
      '/3/acessory',
      '/4/elements/0/url',
      '/4/elements/0/style',
      '/5/condition/operator',
      '/5/children/0/image_url',
      '/6/path',
    ]);
    for (const { pointer } of problems) expect(resolvePointer(blocks, pointer)).toBeDefined();
  });

  it('lists a hundred of them and counts the rest', () => {
    const problems = problemsOf(Array.from({ length: 130 }, () => ({ type: 'nothing' })));
    expect(problems).toHaveLength(101);
    expect(problems.at(-1)).toMatchObject({ rule: 'problems.more', actual: 31 });
  });
});

describe('missing values', () => {
  const blocks = [
    section('Hello {{user.name}}, {{greeting | default:"hi"}}'),
    directive('#each', { path: 'items', children: [section('x {{this.name}}')] }),
  ];
  const data = { items: [{ name: 'a' }, {}, { name: null }] };

  it('leave empty text and a warning with the path and the pointer', () => {
    const { blocks: made, warnings } = compile(blocks, data);
    expect(textsOf(made)).toEqual(['Hello , hi', 'x a', 'x ', 'x ']);
    expect(warnings).toEqual([
      expect.stringMatching(/^\/0\/text\/text: `user\.name` is missing/),
      expect.stringMatching(/^\/1\/children\/0\/text\/text: `items\[1\]\.name` is missing/),
      expect.stringMatching(/`items\[2\]\.name` is missing/),
    ]);
  });

  it('are problems in a strict run, all of them', () => {
    const result = attempt(blocks, data, { strict: true });
    expect(result).toMatchObject({
      ok: false,
      code: 'invalid_data',
      problems: [
        { rule: 'value.missing', pointer: '/0/text/text', message: expect.stringContaining('user.name') },
        { message: expect.stringContaining('items[1].name') },
        { message: expect.stringContaining('items[2].name') },
      ],
    });
  });

  it('of a list are problems in a strict run', () => {
    expect(attempt(blocks, { user: { name: 'x' } }, { strict: true })).toMatchObject({
      code: 'invalid_data',
      problems: [{ pointer: '/1/path' }],
    });
  });

  it('give a hundred warnings and a count', () => {
    const names = Array.from({ length: 150 }, (_, index) => `{{a${index}}}`);
    const { warnings } = compile([section(names.join(''))]);
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toContain('51 more');
  });
});

describe('limits of a run', () => {
  const loop = (children: unknown[]) => [directive('#each', { path: 'items', as: 'item', children })];
  const items = (count: number) => ({ items: Array.from({ length: count }, (_, index) => `item ${index}`) });

  it('cuts a text at its limit, counts it and warns once a field', () => {
    const { blocks, fieldsTruncated, warnings } = compile([section('{{long}}'), header('{{long}}')], {
      long: 'x'.repeat(10_000),
    });
    expect(textsOf(blocks)).toEqual([`${'x'.repeat(2_999)}…`, `${'x'.repeat(149)}…`]);
    expect(fieldsTruncated).toBe(2);
    expect(warnings).toEqual([
      expect.stringContaining('`section.text`'),
      expect.stringContaining('`header.text`'),
    ]);
  });

  it('cuts a text of the template too, in every run', () => {
    const parsed = parseTemplate([header('x'.repeat(200))], { surface: 'message' });
    if (!parsed.ok) throw new Error('parses');
    for (const _ of [1, 2]) {
      expect(runProgram(parsed.program, {}, { now })).toMatchObject({
        fieldsTruncated: 1,
        warnings: [expect.any(String)],
      });
    }
  });

  it('never cuts inside what escaping made', () => {
    const { blocks } = compile([section('{{a}}')], { a: '&'.repeat(3_000) });
    expect(String(textsOf(blocks)[0])).toMatch(/^(?:&amp;)+…$/);
  });

  it('names the limit of 50 blocks and the full count', () => {
    expect(problemsOf(loop([section('{{item}}')]), items(60))).toMatchObject([
      {
        rule: 'limit.max',
        limit: 'message.blocks',
        max: 50,
        actual: 60,
        message: expect.stringContaining('50'),
      },
    ]);
  });

  it('allows a view 100 blocks', () => {
    const view = { surface: 'view' } as const;
    expect(compile(loop([section('{{item}}')]), items(100), view).blocks).toHaveLength(100);
    expect(problemsOf(loop([section('{{item}}')]), items(101), view)).toMatchObject([
      { limit: 'view.blocks', actual: 101 },
    ]);
  });

  it('shortens the values of `markdown` blocks to what these may hold together', () => {
    const blocks = [
      { type: 'markdown', text: '{{a}}' },
      { type: 'markdown', text: '{{a}}' },
      { type: 'markdown', text: 'end' },
    ];
    const made = compile(blocks, { a: 'x'.repeat(8_000) });
    expect(made.blocks.map((block) => String(block.text).length)).toEqual([5_998, 5_998, 3]);
    expect(made.warnings).toEqual([
      expect.stringContaining('`markdown.total`'),
      expect.stringContaining('`markdown.total`'),
    ]);
  });

  it('warns of more text than the platform is sure to take', () => {
    const { warnings } = compile(loop([section('{{item}}')]), { items: Array(5).fill('x'.repeat(2_500)) });
    expect(warnings).toEqual([expect.stringMatching(/^the blocks hold 12500 characters/)]);
  });
});

describe('locale and time zone', () => {
  it.each([
    ['locale', { locale: 'not a locale' }],
    ['locale', { locale: 'tlh' }],
    ['locale', { locale: '' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '' }],
  ])('are refused when unknown: %s %j', (rule, options) => {
    expect(attempt([section('x')], {}, options)).toMatchObject({
      ok: false,
      code: 'invalid_data',
      problems: [{ rule }],
    });
  });

  it('are both told when both are unknown', () => {
    expect(problemsOf([section('x')], {}, { locale: '!', timezone: '!' })).toHaveLength(2);
  });
});

describe('the fallback text', () => {
  it('says what the blocks say, line by line', () => {
    const blocks = [
      header('Deploy & more'),
      { type: 'divider' },
      section('*done* by <@U1>', {
        fields: [
          { type: 'mrkdwn', text: 'f1' },
          { type: 'plain_text', text: '<f2>' },
        ],
      }),
      { type: 'image', image_url: 'https://e.com/a.png', alt_text: 'a chart' },
      {
        type: 'context',
        elements: [
          { type: 'mrkdwn', text: 'one' },
          { type: 'plain_text', text: 'two' },
        ],
      },
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'text', text: 'a <b> ' },
              { type: 'emoji', name: 'wave' },
            ],
          },
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url: 'https://e.com' }] }],
          },
        ],
      },
      { type: 'markdown', text: '**end**' },
    ];
    expect(compile(blocks).text.split('\n')).toEqual([
      'Deploy &amp; more',
      '*done* by <@U1>',
      'f1',
      '&lt;f2&gt;',
      'a chart',
      'one two',
      'a &lt;b&gt; :wave:',
      '• https://e.com',
      '**end**',
    ]);
  });

  it('is the template’s own where it has one', () => {
    expect(compile([header('x')], { n: 2 }, { fallbackText: '{{n}} new' }).text).toBe('2 new');
  });

  it('falls back to the blocks where the template’s own comes out empty', () => {
    expect(compile([header('x')], { n: '' }, { fallbackText: '{{n}}' }).text).toBe('x');
  });

  it('is checked with the blocks, under a pointer of its own', () => {
    expect(problemsOf([header('x')], {}, { fallbackText: '{{n' })).toMatchObject([
      { pointer: '/fallback_text' },
    ]);
  });

  it('stays within its limit', () => {
    const blocks = Array(5).fill(section('x'.repeat(2_000)));
    expect(compile(blocks).text).toHaveLength(limits['message.text'].max);
  });
});

describe('a program', () => {
  it('can be run by several at once: its runs share nothing that can change', () => {
    const parsed = parseTemplate([header('fixed'), section('{{a}}')], { surface: 'message' });
    if (!parsed.ok) throw new Error('parses');
    const first = runProgram(parsed.program, { a: '1' }, { now });
    const second = runProgram(parsed.program, { a: '2' }, { now });
    if (!first.ok || !second.ok) throw new Error('runs');
    expect(textsOf(first.blocks)).toEqual(['fixed', '1']);
    expect(textsOf(second.blocks)).toEqual(['fixed', '2']);
    expect(Object.isFrozen(first.blocks[0])).toBe(true);
    expect(first.blocks).not.toBe(second.blocks);
  });

  it('emits nothing for a template that is empty, and leaves it to the caller what that means', () => {
    expect(compile([])).toMatchObject({ blocks: [], text: '' });
  });
});
