import { describe, expect, it } from '@jest/globals';
import { compileExhibit } from '@stanza/gallery/compile';
import { messages } from '@stanza/gallery/exhibits';
import { anyText } from '@stanza/test-kit/any-text';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { differences } from '../plan/differences.ts';
import { messageLines } from '../plan/message-lines.ts';
import type { Plan, PlannedTemplate } from '../plan/plan.ts';
import { lineDiff } from './line-diff.ts';
import { planMarkdown } from './plan-markdown.ts';
import { planText } from './plan-text.ts';
import { shown, styleOf } from './style.ts';
import { table } from './table.ts';

describe('what the message of a template says', () => {
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'One\nTwo' } }];
  const saying = (about: { fallback_text?: string }) => {
    const content = { about: { name: 'It', ...about }, version: { blocks, data: {} } };
    return differences(undefined, content, new Date('2026-11-21T08:30:00.000Z')).text?.after;
  };

  it('is shown line by line, and once where the notification says the same', () => {
    expect(saying({})).toEqual(['One', 'Two']);
    expect(saying({ fallback_text: 'It\nis' })).toEqual(['It', 'is', '', 'One', 'Two']);
  });
});

describe('a text on a terminal', () => {
  it('shows what would act on it', () => {
    const data = '\u001b]52;c;eA==\u0007 \u001b[8m \r \u009b2J \u202eabc\u2066';
    const safe = String.raw`\x1b]52;c;eA==\x07 \x1b[8m \x0d \u009b2J \u202eabc\u2066`;
    expect(shown(data, true)).toBe(safe);
    expect(shown(data, false)).toBe(safe);
  });

  it('keeps its lines, its own colours and texts of all languages', () => {
    const style = styleOf(true);
    const text = ['good', 'bad', 'changed', 'strong', 'faint']
      .map((name) => Reflect.get(style, name)('a\tb'))
      .join('\n');
    expect(shown(text, true)).toBe(text);
    expect(shown(style.good('a'), false)).toBe(String.raw`\x1b[32ma\x1b[39m`);
    expect(shown('تسليم\u200f 納品 🚚', false)).toBe('تسليم\u200f 納品 🚚');
  });

  it('is the same JSON as before', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        expect(JSON.parse(shown(JSON.stringify({ text }, null, 2), false))).toEqual({ text });
      }),
      { numRuns: cases(1_000) },
    );
    const acting = '\u007f\u0080\u009f\u202a\u2069';
    expect(JSON.parse(shown(JSON.stringify(acting), false))).toBe(acting);
  });
});

describe('a table', () => {
  const rows = [
    ['deploy-alert', 'What went live where, by whom, and the changes in it'],
    ['x', 'y'],
  ];

  it.each([20, 40, 80, 200])('is no wider than %d characters', (columns) => {
    const lines = table(['key', 'description'], rows, columns);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect([...line].length).toBeLessThanOrEqual(columns);
  });

  it('is empty without rows', () => {
    expect(table(['key'], [], 80)).toEqual([]);
  });

  it('is as wide with colours as without', () => {
    const { good } = styleOf(true);
    expect(good('x')).not.toBe('x');
    const [, first = '', second = ''] = table(
      ['a', 'b'],
      [
        [good('xx'), 'y'],
        ['xx', 'y'],
      ],
      80,
    );
    expect(first.replace(good('xx'), 'xx')).toBe(second);
  });
});

describe('the difference of lines', () => {
  it('has both texts in it', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const diff = lineDiff(before, after);
        const side = (kind: string) =>
          diff.filter((it) => it.kind === ' ' || it.kind === kind).map(({ line }) => line);
        expect(side('-')).toEqual(before);
        expect(side('+')).toEqual(after);
      }),
      { numRuns: cases(500) },
    );
  });

  it('keeps what both have', () => {
    expect(lineDiff(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
      { kind: ' ', line: 'a' },
      { kind: '-', line: 'b' },
      { kind: '+', line: 'x' },
      { kind: ' ', line: 'c' },
    ]);
  });
});

describe('the lines of a message', () => {
  it.each(messages.map((it) => [it.slug, it] as const))('say something of %s', (_, exhibit) => {
    expect(messageLines(compileExhibit(exhibit).blocks).join('').length).toBeGreaterThan(20);
  });

  it('are what a reader sees', () => {
    expect(
      messageLines([
        { type: 'header', text: { type: 'plain_text', text: 'Head' } },
        {
          type: 'section',
          text: { type: 'mrkdwn', text: 'one\ntwo' },
          accessory: { type: 'button', text: { text: 'Go' } },
        },
        { type: 'divider' },
        { type: 'image', alt_text: 'a cat' },
        {
          type: 'table',
          rows: [
            [
              { type: 'raw_text', text: 'a' },
              { type: 'raw_text', text: 'b' },
            ],
          ],
        },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_section',
              elements: [
                { type: 'text', text: 'hi ' },
                { type: 'emoji', name: 'wave' },
              ],
            },
          ],
        },
      ]),
    ).toEqual(['# Head', 'one', 'two', '[Go]', '---', '(image: a cat)', 'a | b', 'hi :wave:']);
  });
});

describe('a plan', () => {
  const planned: PlannedTemplate = {
    key: 'deploy-alert',
    status: 'changed',
    actions: ['append', 'activate'],
    about: [{ name: 'description', from: 'old', to: '</details> | `x`' }],
    blocks: {
      added: [],
      removed: [],
      moved: [],
      changed: [
        {
          block_id: null,
          type: 'section',
          pointer: '/blocks/0',
          before: '/blocks/0',
          changes: [{ op: 'replace', pointer: '/blocks/0/text/text', from: 'a', to: '```\n# heading' }],
        },
      ],
    },
    data_changed: true,
    text: { before: ['a'], after: ['```', '# heading'] },
    impact: {
      inputs: { required: ['version'], added: ['version'], gone: [], retyped: [] },
      summary: { same: 0, changed: 1, warning: 0, breaks: 1 },
      not_looked_at: [],
      data: [
        {
          source: 'schedule',
          id: 'schedule-1',
          name: '0 9 * * 1-5 UTC',
          owner: null,
          effect: 'breaks',
          problems: [{ pointer: '/blocks/0', rule: 'required', message: 'Every block comes out empty.' }],
          problem_count: 1,
        },
      ],
    },
    problems: [],
  };
  const plan: Plan = {
    plan: 1,
    environment: 'organization/production',
    environment_name: 'production',
    organization_name: 'Acme <Rockets>',
    activates: true,
    archives: false,
    deletes: false,
    resends: false,
    resources: [],
    choice: { mine: [], theirs: [] },
    templates: [planned, { ...planned, key: 'both', status: 'both', actions: [], why: 'rolled back' }],
    proposals: [
      { key: 'deploy-alert', version_number: 4, from: 'code_editor' },
      { key: 'both', version_number: 2, from: 'a program' },
    ],
  };

  it('shows people what a push does, what differs and what breaks', () => {
    const text = planText(plan, styleOf(false));
    for (const part of [
      '~ deploy-alert: changed (append, activate)',
      'description: "old" → "</details> | `x`"',
      '- /blocks/0/text/text "a"',
      'now required: version',
      'deploy-alert: the schedule 0 9 * * 1-5 UTC (schedule-1) breaks: Every block comes out empty.',
      '! both: both: rolled back',
      'deploy-alert: version 4 is proposed by code_editor; this push ends the proposal',
      'both: version 2 is proposed by a program; it waits for a decision',
      '--mine <key> or --theirs <key>',
      'production of Acme <Rockets>: 1 changed, 1 both',
    ])
      expect(text).toContain(part);
  });

  it('says at its end what keeps a push from beginning', () => {
    const broken = { ...plan, templates: [{ ...planned, problems: ['/blocks/0: it is no block'] }] };
    const said = 'is refused until it is corrected: deploy-alert';
    expect(planText(broken, styleOf(false)).split('\n').at(-2)).toBe(`a push ${said}`);
    expect(planMarkdown(broken)).toContain(`**A push ${said}.**`);
    expect(planText(plan, styleOf(false))).not.toContain('corrected');
  });

  it('is a comment whose code block no text of a template closes', () => {
    const text = planMarkdown(plan);
    const fences = text.split('\n').filter((line) => /^`{3,}/.test(line));
    expect(fences.length % 2).toBe(0);
    expect(text).toContain('````diff');
    expect(text).toContain('Acme \\<Rockets\\>');
    expect(text).toContain('| `deploy-alert` | changed | append, activate |');
    expect(text).toContain('the schedule 0 9 \\* \\* 1-5 UTC (schedule-1) breaks');
    expect(text).toContain('- deploy-alert: version 4 is proposed by code\\_editor;');
    expect(text.match(/<details>/g)).toHaveLength(2);
  });
});
