import { describe, expect, it } from '@jest/globals';
import { type Compiled, compile, parse } from './compilation.ts';

const now = new Date('2026-11-26T12:00:00Z');
const text = (value: string) => ({ type: 'mrkdwn', text: value });
const parsed = parse(
  [
    { type: 'header', text: { type: 'plain_text', text: '{{event_count}} events' } },
    {
      type: 'directive',
      directive: '#each',
      path: 'events',
      children: [
        { type: 'section', text: text('{{this.user}}') },
        {
          type: 'directive',
          directive: '#each',
          path: 'this.tags',
          children: [{ type: 'context', elements: [text('{{this}}')] }],
        },
      ],
    },
  ],
  null,
);

type Event = Record<string, unknown>;
const small = (at: number): Event => ({ user: `u${at}`, tags: [] });
const huge = (at: number): Event => ({ user: `SECRET${at}`, tags: Array(21_000).fill(1) });
const digestOf = (events: Event[]): Compiled => {
  const result = compile(parsed, { data: { events, event_count: events.length }, digest: true }, now);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
};
const usersOf = ({ blocks }: Compiled): unknown[] =>
  blocks.flatMap(({ type, text: shown }) => (type === 'section' ? [Object(shown).text] : []));

describe('a digest whose events are too much work', () => {
  it.each([
    ['first', 0],
    ['last', 9],
    ['fifth', 4],
  ])('loses the one that is too much alone, here the %s', (_, at) => {
    const events = Array.from({ length: 10 }, (_none, index) => (index === at ? huge(index) : small(index)));
    const digest = digestOf(events);
    expect(usersOf(digest)).toEqual(events.flatMap(({ user }, index) => (index === at ? [] : [user])));
    expect(digest.leftOut).toEqual({
      count: 1,
      entries: [
        {
          pointer: '',
          path: `events[${at}]`,
          message: `\`events[${at}]\` is left out: with it the template does more than it may.`,
        },
      ],
    });
    expect(digest.warnings[0]).toBe(digest.leftOut?.entries[0]?.message);
  });

  it('loses several such events, and names all else by its place among all events', () => {
    const events = [
      huge(0),
      small(1),
      huge(2),
      { user: { name: 'SECRET' }, tags: [] },
      small(4),
      { tags: [] },
    ];
    const digest = digestOf(events);
    expect(usersOf(digest)).toEqual(['u1', 'u4']);
    expect(digest.leftOut?.count).toBe(3);
    expect(digest.leftOut?.entries.map(({ path }) => path)).toEqual([
      'events[0]',
      'events[2]',
      'events[3].user',
    ]);
    expect(digest.leftOut?.entries[2]?.message).toContain(
      'the entry of `events[3]` is left out: `events[3].user` is',
    );
    expect(digest.warnings.join()).toContain('`events[5].user` is missing');
    expect(JSON.stringify([digest.leftOut, digest.warnings])).not.toContain('SECRET');
  });

  it('keeps as many of the first as can be made where none alone is too much', () => {
    const events = Array.from({ length: 5 }, (_, at) => ({ user: `u${at}`, tags: Array(1_500).fill('') }));
    const digest = digestOf(events);
    expect(usersOf(digest)).toEqual(['u0', 'u1', 'u2']);
    expect(digest.leftOut).toMatchObject({
      count: 2,
      entries: [
        {
          path: 'events',
          message: 'the last 2 of 5 events are left out: with them the template does more than it may.',
        },
      ],
    });
  });

  it('is made without any of them where each is too much', () => {
    const digest = digestOf([huge(0), huge(1), huge(2)]);
    expect(digest.blocks).toHaveLength(1);
    expect(digest.leftOut?.count).toBe(3);
  });

  it('ends with the problem where the work is not that of the events', () => {
    const other = { events: [small(0), small(1)], event_count: 2, first: huge(0) };
    const blocks = [
      { type: 'directive', directive: '#each', path: 'first.tags', children: [{ type: 'divider' }] },
    ];
    expect(compile(parse(blocks, null), { data: other, digest: true }, now)).toMatchObject({
      ok: false,
      problems: [{ rule: 'budget' }],
    });
  });
});
