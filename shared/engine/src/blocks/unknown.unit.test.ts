import { describe, expect, it } from '@jest/globals';
import { comparedOn, parseTemplate, runProgram } from '../index.ts';
import { attempt, compile, directive, now, problemsOf, section } from '../testing/compile.ts';

const rich = (...elements: unknown[]) => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
];
const text = { type: 'text', text: 'x' };
const plain = (value: string) => ({ type: 'plain_text', text: value });
const button = (more: object) => [
  { type: 'actions', elements: [{ type: 'button', action_id: 'a', text: plain('Go'), ...more }] },
];

describe('what the platform may have added since the tables were compared', () => {
  it.each([
    [
      'an inline element of rich text',
      rich(text, { type: 'hologram', depth: 3, deep: { a: [1, null] } }),
      '/0/elements/0/elements/1',
    ],
    ['a key of a block', [section('x', { density: { rows: [1] } })], '/0/density'],
    [
      'a key of an option',
      [
        {
          type: 'actions',
          elements: [{ type: 'overflow', action_id: 'a', options: [{ text: plain('x'), density: 1 }] }],
        },
      ],
      '/0/elements/0/options/0/density',
    ],
    [
      'a key of a menu',
      [{ type: 'actions', elements: [{ type: 'users_select', action_id: 'a', density: 1 }] }],
      '/0/elements/0/density',
    ],
    ['a key of an element', button({ haptics: true }), '/0/elements/0/haptics'],
    ['a key of a text object', [{ type: 'header', text: { ...plain('x'), tone: 'calm' } }], '/0/text/tone'],
    ['a key of an inline element', rich({ ...text, mood: null }), '/0/elements/0/elements/0/mood'],
  ])('passes as it is, with one warning that says where and since when: %s', (_, blocks, pointer) => {
    const result = compile(blocks);
    expect(result.blocks).toEqual(blocks);
    const [warning, ...others] = result.warnings.filter((it) => !it.includes('notification'));
    expect([warning?.startsWith(`${pointer}: `), others]).toEqual([true, []]);
    expect(warning).toContain(comparedOn);
    expect(warning).not.toMatch(/\ba [aeio]|\ban (?:[^aeiou]|users)/);
  });

  it('is warned of in every run, once for a template, also inside a loop', () => {
    const blocks = [directive('#each', { path: 'list', children: [section('{{this}}', { density: 2 })] })];
    const parsed = parseTemplate(blocks, { surface: 'message' });
    if (!parsed.ok) throw new Error('parses');
    for (const list of [['a', 'b', 'c'], []]) {
      const result = runProgram(parsed.program, { list }, { now });
      const warned = result.ok ? result.warnings.filter((it) => it.includes('density')) : [];
      expect(warned).toHaveLength(1);
    }
    expect(compile(blocks, { list: ['a'] }).blocks).toMatchObject([{ density: 2 }]);
  });

  it('is counted where there is more of it than is listed', () => {
    const keys = { density: 1, tempo: 2, mood: 3 };
    const { warnings } = compile(Array.from({ length: 40 }, () => section('x', keys)));
    expect(warnings).toHaveLength(101);
    expect(warnings.at(-1)).toBe('20 more warnings are not listed.');
  });

  it('shares nothing with what the caller gave', () => {
    const density = { rows: [1] };
    const { blocks } = compile([section('x', { density })]);
    expect(blocks).toMatchObject([{ density }]);
    expect(Object.isFrozen(density)).toBe(false);
  });

  it.each([
    ['a placeholder in a key', [section('x', { density: '{{a}}' })], '/0/density'],
    ['a placeholder deep inside', [section('x', { density: { a: ['{{a}}'] } })], '/0/density'],
    ['a placeholder in an element', rich({ type: 'hologram', name: '{{a}}' }), '/0/elements/0/elements/0'],
    ['a directive', [section('x', { density: [directive('#each', {})] })], '/0/density'],
  ])('is refused where it holds %s, since nothing would be filled in', (_, blocks, pointer) => {
    const [problem] = problemsOf(blocks, { a: 1 });
    expect(problem).toMatchObject({ pointer, rule: 'placeholder.place' });
    expect(problem?.message).toContain('Nothing would be filled in');
  });

  it.each([
    ['a key near a known one', [section('x', { acessory: 1 })], 'key.unknown', 'Did you mean `accessory`?'],
    [
      'an inline element near a known one',
      rich({ type: 'user_', user_id: 'U1' }),
      'type.unknown',
      'Did you mean `user`?',
    ],
    ['a block', [{ type: 'hologram' }], 'type.unknown', undefined],
    ['an element', [{ type: 'actions', elements: [{ type: 'lever' }] }], 'type.unknown', undefined],
    [
      'a part of rich text',
      [{ type: 'rich_text', elements: [{ type: 'hologram' }] }],
      'type.unknown',
      undefined,
    ],
    ['a cell', [{ type: 'table', rows: [[{ type: 'hologram' }]] }], 'type.unknown', undefined],
    [
      'a known type where it has no place',
      rich({ type: 'button', text: plain('x') }),
      'type.unknown',
      undefined,
    ],
    [
      'a part of rich text inside a line',
      rich({ type: 'rich_text_section', elements: [] }),
      'type.unknown',
      undefined,
    ],
    [
      'an element of preformatted text',
      [
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'hologram' }] }],
        },
      ],
      'type.unknown',
      undefined,
    ],
    [
      'a key for marks in a text without marks',
      [{ type: 'header', text: { ...plain('x'), verbatim: true } }],
      'key.unknown',
      '`verbatim` is for texts of the type `mrkdwn` alone.',
    ],
    [
      'a key for plain texts in one with marks',
      [{ type: 'section', text: { type: 'mrkdwn', text: 'x', emoji: true } }],
      'key.unknown',
      '`emoji` is for texts of the type `plain_text` alone.',
    ],
    ...['static_select', 'radio_buttons'].map((type): [string, object[], string, string] => [
      `an address in an option of ${type}`,
      [
        {
          type: 'actions',
          elements: [{ type, action_id: 'a', options: [{ text: plain('x'), url: 'https://e.com' }] }],
        },
      ],
      'key.unknown',
      '`url` is for options of an `overflow` menu alone.',
    ]),
    [
      'an inline element whose name JavaScript reads something into',
      rich({ type: 'constructor' }),
      'type.unknown',
      undefined,
    ],
    ['a key of the template language', [section('x', { source: 'a' })], 'key.unknown', undefined],
    [
      'a key of a bound form without its source',
      [{ type: 'table', max_rows: 2, rows: [[{ type: 'raw_text', text: 'x' }]] }],
      'key.unknown',
      '`max_rows` goes with a `source`, the path to a list.',
    ],
    [
      'a misspelt key of a bound form',
      [{ type: 'table', source: 'a', columns: [{ header: 'A', value: '{{this}}' }], max_row: 2 }],
      'key.unknown',
      'Did you mean `max_rows`?',
    ],
    ['an interaction where none may stand', [section('x', { interaction: [] })], 'key.unknown', undefined],
    [
      'a key of an interaction',
      button({
        interaction: [{ type: 'open_modal', modal_id: 'm', colour: 'red' }],
      }),
      'key.unknown',
      undefined,
    ],
    [
      'a key of a directive',
      [directive('#if', { condition: { path: 'a' }, children: [], colour: 1 })],
      'key.unknown',
      undefined,
    ],
    ['a name that is none of the platform’s', [section('x', { 'data-id': 1 })], 'key.unknown', undefined],
    [
      'a name that JavaScript reads something into',
      [JSON.parse('{"type":"divider","__proto__":{"a":1}}')],
      'key.unknown',
      undefined,
    ],
  ])('is not %s, which stays refused', (_, blocks, rule, hint) => {
    const problems = problemsOf(blocks);
    expect(problems).toMatchObject([{ rule, ...(hint !== undefined && { hint }) }]);
  });

  it('is held to a depth and a size', () => {
    const nested = (levels: number): unknown =>
      Array.from({ length: levels }).reduce((inner: unknown) => [inner], 1);
    expect(attempt([section('x', { density: nested(8) })])).toMatchObject({ ok: true });
    expect(problemsOf([section('x', { density: nested(9) })])).toMatchObject([
      { pointer: '/0/density', limit: 'engine.unknown_depth' },
    ]);
    expect(attempt([section('x', { density: nested(50_000) })])).toMatchObject({ ok: false });
    expect(attempt([section('x', { density: 'x'.repeat(2_900) })])).toMatchObject({ ok: true });
    expect(problemsOf([section('x', { density: 'x'.repeat(3_001) })])).toMatchObject([
      { limit: 'engine.unknown_characters' },
    ]);
    expect(problemsOf([section('x', { density: Array(100_000).fill(1) })])).toMatchObject([
      { limit: 'engine.unknown_characters' },
    ]);
  });
});
