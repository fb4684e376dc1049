import { describe, expect, it } from '@jest/globals';
import { fillJson } from '../../program/fill-json.ts';
import { parseView } from '../../program/parse-view.ts';
import { runView } from '../../program/run-view.ts';
import type { People } from '../../run/mentions.ts';
import { compile, directive, header, now, section, textsOf } from '../../testing/compile.ts';

const data = { e: 'Ada@Example.com', gone: 'gone&away@example.com', late: 'late@example.com', id: 'U0BOB' };
const people: People = { 'ada@example.com': 'U0ADA', 'gone&away@example.com': null };

/** A value of an element that is no text, in an `actions` block next to a button. */
const select = (more: object) => ({
  type: 'actions',
  elements: [
    { type: 'button', action_id: 'b', text: { type: 'plain_text', text: 'Go' }, value: 'v' },
    { action_id: 's', ...more },
  ],
});
const oneUser = (initial_user: string) => select({ type: 'users_select', initial_user });
const users = (initial_users: unknown) => select({ type: 'multi_users_select', initial_users });
const rich = (element: object) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'By ' }, element] }],
});
const user = (user_id: string, more: object = {}) => rich({ type: 'user', user_id, ...more });
const markdown = (text: string) => ({ type: 'markdown', text });
const option = (value: string) =>
  select({ type: 'static_select', options: [{ text: { type: 'plain_text', text: 'A' }, value }] });

describe('a mention by e-mail', () => {
  it.each([
    ['mrkdwn', section('{{e | mention}}!'), section('<@U0ADA>!')],
    ['a markdown block', markdown('{{e | mention}}!'), markdown('<@U0ADA>!')],
    [
      'a list in mrkdwn',
      section('{{all | mention}}'),
      section('<@U0ADA>, gone&amp;away@example.com, <@U0BOB>'),
    ],
    ['rich text', user('{{e | mention}}'), user('U0ADA')],
    ['an initial user', oneUser('{{e | mention}}'), oneUser('U0ADA')],
    ['a list of initial users', users(['{{e | mention}}', '{{id | mention}}']), users(['U0ADA', 'U0BOB'])],
    ['initial users of the data', users('{{all | mention}}'), users(['U0ADA', 'U0BOB'])],
    ['the value of an option', option('{{e | mention}}'), option('U0ADA')],
  ])('is the mention or the id of the person in %s', (_, block, expected) => {
    const result = compile([block], { ...data, all: [data.e, data.gone, data.id, null, ''] }, { people });
    expect(result.blocks).toEqual([expected]);
    expect(result).not.toHaveProperty('mentions');
  });

  it.each([
    [
      'mrkdwn',
      section('{{gone | mention}}!'),
      section('gone&amp;away@example.com!'),
      'the address stands there',
    ],
    [
      'a markdown block',
      markdown('{{gone | mention}}!'),
      markdown('gone&amp;away@example.com!'),
      'the address stands there',
    ],
    [
      'rich text',
      user('{{gone | mention}}', { style: { bold: true } }),
      rich({ type: 'text', text: data.gone, style: { bold: true } }),
      'the address stands there as text',
    ],
    ['an initial user', oneUser('{{gone | mention}}'), select({ type: 'users_select' }), 'it is left out'],
    ['a list of initial users', users(['{{gone | mention}}', 'U1']), users(['U1']), 'it is left out'],
    [
      'initial users of the data',
      users('{{only | mention}}'),
      select({ type: 'multi_users_select' }),
      'it is left out',
    ],
    ['the value of an option', option('{{gone | mention}}'), option(data.gone), 'the address stands there'],
  ])(
    'of no person is the address or nothing in %s, and a warning names the path',
    (_, block, expected, effect) => {
      const { blocks, warnings } = compile([block], { ...data, only: [data.gone] }, { people });
      expect(blocks).toEqual([expected]);
      expect(warnings).toEqual([
        expect.stringMatching(
          /^\/0\/.*: the workspace has no person with the e-mail address of `(?:gone|only\[0\])`, so /,
        ),
      ]);
      expect(warnings[0]).toContain(`so ${effect}.`);
      expect(warnings.join()).not.toContain(data.gone);
    },
  );

  it('is the address in plain text, without a look-up', () => {
    const result = compile([header('{{e | mention}} {{all | mention}}')], { ...data, all: [data.e, 'U1'] });
    expect(textsOf(result.blocks)).toEqual(['Ada@Example.com Ada@Example.com, U1']);
    expect(result.warnings).toEqual([]);
    expect(result).not.toHaveProperty('mentions');
  });

  it('is looked up in the fallback text and in a view too', () => {
    const fallback = { fallbackText: 'For {{e | mention}}' };
    expect(compile([section('x')], data, fallback).mentions).toEqual(['ada@example.com']);
    expect(compile([section('x')], data, { ...fallback, people }).text).toBe('For <@U0ADA>');
    const parsed = parseView({ title: 'T', blocks: [section('{{e | mention}}')] });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(runView(parsed.program, data, { now })).toMatchObject({ mentions: ['ada@example.com'] });
    expect(runView(parsed.program, data, { now, people })).toMatchObject({
      view: { blocks: [section('<@U0ADA>')] },
      warnings: [],
    });
  });

  it('prints the address without a look-up, warns once, and lists each address once in lower case', () => {
    const blocks = [
      section('{{e | mention}} {{e | mention}}'),
      section('{{late | mention}}'),
      user('{{e | mention}}'),
    ];
    const result = compile(blocks, data);
    expect(result.mentions).toEqual(['ada@example.com', 'late@example.com']);
    expect(textsOf(result.blocks.slice(0, 2))).toEqual([
      'Ada@Example.com Ada@Example.com',
      'late@example.com',
    ]);
    expect(result.blocks[2]).toEqual(rich({ type: 'text', text: 'Ada@Example.com' }));
    expect(result.warnings).toEqual([
      '/0/text/text: `e` is an e-mail address; people are looked up on sends alone, so the address stands there.',
      expect.stringMatching(/^\/2\/.*so the address stands there as text\.$/),
    ]);
  });

  it('whose person could not be looked up is the address with a warning', () => {
    const { blocks, warnings } = compile([section('{{late | mention}}')], data, { people });
    expect(textsOf(blocks)).toEqual([data.late]);
    expect(warnings).toEqual([
      '/0/text/text: the person with the e-mail address of `late` could not be looked up, so the address stands there.',
    ]);
  });

  it('is looked up for fifty people of a message at most, and the warning names the limit', () => {
    const owners = Array.from({ length: 60 }, (_, index) => ({ e: `p${index}@example.com` }));
    const looped = [directive('#each', { path: 'owners', children: [section('{{this.e | mention}}')] })];
    expect(compile(looped, { owners: owners.slice(0, 50) }).mentions).toHaveLength(50);
    const all = [section('{{mails | mention}}'), section('{{again | mention}}')];
    const emails = owners.map(({ e }) => e);
    const inputs = { mails: emails, again: emails.slice(0, 2) };
    expect(compile(all, inputs).mentions).toEqual(emails.slice(0, 50));
    const found = Object.fromEntries(emails.map((email, index) => [email, `U${index}X`]));
    const second = compile(all, inputs, { people: found });
    expect(textsOf(second.blocks)[0]).toContain('<@U49X>, p50@example.com, ');
    expect(textsOf(second.blocks)[1]).toBe('<@U0X>, <@U1X>');
    expect(second.warnings).toEqual([
      '/0/text/text: a message looks up 50 people by e-mail at most (`message.people`; chat ids need no look-up), and `mails[50]` is beyond, so the address stands there.',
    ]);
  });

  it.each([
    'ada@example',
    'ada@@example.com',
    'ada example.com',
    '<ada@example.com>',
    'Ada <ada@example.com>',
    `${'a'.repeat(65)}@example.com`,
    `a@${'x'.repeat(260)}.com`,
    'a@b.c|<!channel>',
  ])('is none of %j, which stands there escaped with a warning', (e) => {
    const result = compile([section('{{e | mention}}')], { e });
    expect(result).not.toHaveProperty('mentions');
    expect(result.warnings).toEqual([
      expect.stringContaining(' is a string and not the id of a user or a user group, or an e-mail address'),
    ]);
    expect(String(textsOf(result.blocks)[0])).not.toMatch(/[<>]/);
  });

  it('names the item of a list that cannot be mentioned', () => {
    const { warnings } = compile([section('{{all | mention}}')], { all: ['U1', 'ada'] });
    expect(warnings).toEqual([expect.stringMatching(/`all\[1\]` is a string and not the id of a user/)]);
  });

  it('never mentions what no user has as an id', () => {
    const forged: People = { 'ada@example.com': '!channel>' };
    expect(textsOf(compile([section('{{e | mention}}')], data, { people: forged }).blocks)).toEqual([data.e]);
  });

  it('stays an address in the JSON of an action, in a list too', () => {
    const json = { who: '{{e | mention}}', all: '{{all | mention}}', text: 'by {{e | mention}}' };
    const filled = fillJson(json, { ...data, all: [data.e, 'U1'] }, { now, saved: new Set() });
    expect(filled).toMatchObject({
      ok: true,
      json: { who: data.e, all: [data.e, 'U1'], text: `by ${data.e}` },
    });
  });
});
