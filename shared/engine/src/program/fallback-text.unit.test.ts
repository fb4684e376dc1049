import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { markedText } from '../testing/arbitraries.ts';
import { compile, section } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const view = { surface: 'view' } as const;

describe('the text of a notification', () => {
  it('is cut without a warning where it is a summary of the blocks, and with one where it is written', () => {
    const blocks = [section('x'.repeat(3_000)), section('y'.repeat(3_000))];
    const summary = compile(blocks);
    expect(summary.text).toHaveLength(4_000);
    expect(summary).toMatchObject({ warnings: [], fieldsTruncated: 0 });
    const written = compile(blocks, {}, { fallbackText: 'z'.repeat(5_000) });
    expect(written.text).toHaveLength(4_000);
    expect(written).toMatchObject({
      warnings: [expect.stringContaining('`message.text`')],
      fieldsTruncated: 1,
    });
  });

  it.each([
    [{}, 'Due <!date^1795726200^{date_short} {time}|2026-11-26 20:50 UTC>.'],
    [{ fallback: 'soon & well' }, 'Due soon &amp; well.'],
    [{ format: '{date}|<!here>' }, 'Due 2026-11-26 20:50 UTC.'],
    [{ timestamp: 9_007_199_254_740_991 }, 'Due .'],
  ])('says a moment of rich text: %j', (more, text) => {
    const date = { type: 'date', timestamp: 1_795_726_200, format: '{date_short} {time}', ...more };
    const elements = [{ type: 'text', text: 'Due ' }, date, { type: 'text', text: '.' }];
    const block = { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
    expect(compile([block]).text).toBe(text);
  });

  const button = (text: string) => ({ type: 'button', action_id: text, text: plain(text) });

  it.each([
    [
      'buttons',
      [{ type: 'actions', elements: [button('Approve & go'), button('Reject')] }],
      'Approve &amp; go · Reject',
    ],
    [
      'a menu',
      [
        {
          type: 'actions',
          elements: [{ type: 'users_select', action_id: 'a', placeholder: plain('Assign to…') }],
        },
      ],
      'Assign to…',
    ],
    [
      'a menu without a prompt',
      [
        {
          type: 'actions',
          elements: [
            {
              type: 'overflow',
              action_id: 'a',
              options: [{ text: plain('Mute') }, { text: plain('Archive') }],
            },
          ],
        },
      ],
      'Mute · Archive',
    ],
    [
      'feedback',
      [
        {
          type: 'context_actions',
          elements: [
            {
              type: 'feedback_buttons',
              action_id: 'a',
              positive_button: { text: plain('Good'), value: 'g' },
              negative_button: { text: plain('Bad'), value: 'b' },
            },
          ],
        },
      ],
      'Good · Bad',
    ],
    ['a card of buttons', [{ type: 'card', actions: [button('Book')] }], 'Book'],
    [
      'a carousel of such cards',
      [{ type: 'carousel', elements: [{ type: 'card', actions: [button('Book')] }] }],
      'Book',
    ],
  ])('says what there is where the blocks say nothing else: %s', (_, blocks, text) => {
    const result = compile(blocks);
    expect([result.text, result.warnings]).toEqual([text, []]);
  });

  it.each([
    ['a text', '{{v}}'],
    ['a fence', '```\n{{v}}\n```\nafter'],
    ['a fence that is never closed', '~~~\n{{v}}'],
    ['a fence in a list', '- log\n  ```\n  {{v}}\n  ```\n- second'],
    ['a fence in a quote', '> ```\n> {{v}}\n> ```'],
    ['code in a line', 'run ``a {{v}}`` now and `{{v}}` then'],
    ['lines of four spaces', 'log:\n\n    a\n    {{v}}\n\nafter'],
    ['such lines behind a heading', '# log\n    {{v}}\n\nafter'],
    ['code by a filter', 'run {{v | code}} now'],
    ['code behind a backtick of another paragraph', 'Don`t worry.\n\nRun `{{v}}` now'],
    ['code of an item behind a backtick of another', '- a`b\n- `{{v}}`'],
    ['code by a filter behind a backtick', 'Don`t run {{v | code}} now'],
    ['lines of four spaces in a quote', '>     {{v}}\n\nafter'],
    ['styles of its own', '{{v | styled}}'],
    ['styles of its own in an indented line of a paragraph', 'log:\n    {{v | styled}}'],
  ])('has no mention and no link of data that stands in a markdown block, in %s', (_, text) => {
    fc.assert(
      fc.property(markedText, (v) => {
        const made = compile([{ type: 'markdown', text }], { v: `${v}<!here>` });
        expect(made.text).not.toMatch(/<[!@#a-z]/i);
      }),
      { numRuns: cases(400, 60), examples: [['```\ncode\n```'], ['<https://e.com|x>']] },
    );
  });

  it('shows what stands in the code of a markdown block as it is, and has the mentions of the template', () => {
    const text = 'run `{{v}}` <@U0ADA>\n\n- a\n    - {{v}} {{u | mention}}';
    expect(compile([{ type: 'markdown', text }], { v: 'a && b', u: 'U0BOB' }).text).toBe(
      'run `a &amp;&amp; b` <@U0ADA>\n\n- a\n    - a &amp;&amp; b <@U0BOB>',
    );
  });

  it('A text for notifications mentions no person behind a backslash of a markdown block', () => {
    expect(compile([{ type: 'markdown', text: 'a \\<!here> \\& {{v}}' }], { v: 'b' }).text).toBe(
      'a &lt;!here> &amp; b',
    );
  });

  it('is what the blocks say where they say something', () => {
    const blocks = [section('Deploy?'), { type: 'actions', elements: [button('Approve')] }];
    expect(compile(blocks).text).toBe('Deploy?');
  });

  it('is empty with a warning where there is nothing, unless the template has one', () => {
    const blocks = [{ type: 'divider' }];
    expect(compile(blocks)).toMatchObject({
      text: '',
      warnings: [expect.stringContaining('`fallback_text`')],
    });
    expect(compile(blocks, {}, { fallbackText: 'News' }).warnings).toEqual([]);
    expect(compile(blocks, {}, view).warnings).toEqual([]);
    expect(compile([]).warnings).toEqual([]);
  });
});
