import { describe, expect, it } from '@jest/globals';
import { findProblems, findTotalBreach } from '@stanza/sandbox/limits';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import type { RunResult } from '../index.ts';
import { hostileText, templateData } from '../testing/arbitraries.ts';
import { attempt, directive, resolvePointer, section } from '../testing/compile.ts';
import { soundTemplate } from '../testing/template-arbitraries.ts';

const runs = { numRuns: cases(1_000, 200) };

/** Stands in every text of the data, and in no template. */
const mark = 'datum-of-the-caller';

const isSpent = (result: RunResult): boolean =>
  !result.ok &&
  result.problems.every(({ rule, limit }) => rule === 'budget' || limit === 'engine.output_bytes');

const text = hostileText.map((value) => `${mark}${value}`);
/** Any JSON in which every text has the mark. */
const marked = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean()),
    fc.constant(null),
    fc.array(tie('json'), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('id', 'user', 'name', 'b', 'x', mark), tie('json'), { maxKeys: 4 }),
  ),
})).json;

const manyTimes = fc
  .tuple(fc.constantFrom(mark, `${mark}&`), fc.integer({ min: 100, max: 900 }))
  .map(([piece, times]) => piece.repeat(times));

/** What an event holds that most templates can show. */
const fair = fc.record({
  id: fc.nat(),
  user: fc.constantFrom('ada', 'grace'),
  avatar: fc.constant('https://e.com/a.png'),
  tags: fc.array(fc.constantFrom('a', 'b')),
});
const odd = fc
  .tuple(fair, fc.constantFrom('id', 'user', 'avatar', 'tags'), fc.oneof(marked, manyTimes))
  .map(([event, key, value]) => ({ ...event, [key]: value }));
const events = fc.array(fc.oneof(fair, odd, marked), { maxLength: 20 });

const pieces = fc.constantFrom<unknown>(
  section('{{this.user}} {{this.tags}}'),
  section('*{{@number}}*', { block_id: 'b{{this.id}}' }),
  section('x', { accessory: { type: 'image', image_url: '{{this.avatar}}', alt_text: '{{this.user}}' } }),
  { type: 'image', image_url: '{{this.avatar}}', alt_text: 'x' },
  { type: 'context', elements: [{ type: 'image', image_url: '{{this.avatar}}', alt_text: 'x' }] },
  {
    type: 'section',
    fields: [directive('#each', { path: 'this.tags', children: [{ type: 'mrkdwn', text: '{{this}}' }] })],
  },
  {
    type: 'actions',
    elements: [
      {
        type: 'button',
        action_id: 'go',
        text: { type: 'plain_text', text: '{{this.user}}' },
        interaction: [
          {
            type: 'open_modal',
            modal_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
            data: { tags: '{{this.tags}}' },
          },
        ],
      },
    ],
  },
  {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'user', user_id: '{{this.user}}' },
          { type: 'text', text: '{{this.id}}' },
        ],
      },
    ],
  },
);
const tables = fc.constantFrom<unknown>(
  { type: 'table', source: 'events', columns: [{ header: 'User', value: '{{this.user}}' }] },
  {
    type: 'data_table',
    caption: 'x',
    source: 'events',
    columns: [{ header: 'User', value: '{{this.user}}' }],
    overflow_text: '{{remaining}} more',
  },
  {
    type: 'chart',
    chart: 'bar',
    title: 'x',
    source: 'events',
    label: '{{this.user}}',
    value: '{{this.id}}',
    max_items: 20,
  },
  {
    type: 'carousel',
    source: 'events',
    item: { type: 'card', title: { type: 'mrkdwn', text: '{{this.user}}' } },
  },
);
const digests = fc
  .tuple(fc.array(pieces, { minLength: 1, maxLength: 3 }), fc.option(tables))
  .map(([children, table]) => [
    section('{{event_count}} events, first {{first.user}}'),
    directive('#each', { path: 'events', children }),
    ...(table === null ? [] : [table]),
  ]);

/** What holds of every digest: it is made as the platform takes it, and what is left out is named without its data. */
const expectDigest = (blocks: readonly unknown[], data: Record<string, unknown>): void => {
  const ordinary = attempt(blocks, data);
  const result = attempt(blocks, data, { leavesOut: true });
  if (isSpent(ordinary) || isSpent(result)) return;
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  expect(findProblems(result.blocks, 'message', '/blocks')).toEqual([]);
  expect(findTotalBreach(result.blocks)).toBeUndefined();
  const { leftOut } = result;
  const isTooLong = leftOut?.entries.some(({ message }) => message.includes('message.text_total'));
  if (ordinary.ok && !isTooLong) {
    expect(result).toEqual(ordinary);
    return;
  }
  expect(leftOut?.count).toBeGreaterThan(0);
  for (const { pointer, message } of leftOut?.entries ?? []) {
    expect(result.warnings).toContain(message);
    if (pointer !== '') expect(resolvePointer(blocks, pointer)).toBeDefined();
  }
  expect(JSON.stringify(leftOut)).not.toContain(mark);
};

describe('a digest', () => {
  it('is made of events of any JSON, and names what it leaves out without its values', () => {
    fc.assert(
      fc.property(digests, events, (blocks, list) => {
        expectDigest(blocks, { events: list, event_count: list.length, first: list[0] });
      }),
      runs,
    );
  });

  it('is made by every template of data of any JSON', () => {
    fc.assert(
      fc.property(
        soundTemplate,
        fc.oneof(templateData, fc.dictionary(fc.constantFrom('a', 'b', 'c', 'list'), marked)),
        expectDigest,
      ),
      runs,
    );
  });
});
