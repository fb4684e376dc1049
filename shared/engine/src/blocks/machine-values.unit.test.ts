import { describe, expect, it } from '@jest/globals';
import { type LimitName, limitOf } from '../limits.ts';
import { attempt, resolvePointer } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const actions = (element: object) => [{ type: 'actions', elements: [{ action_id: 'a', ...element }] }];
const inContext = (element: object) => [
  { type: 'context_actions', elements: [{ action_id: 'a', ...element }] },
];
const feedback = (good: string, bad: string) =>
  inContext({
    type: 'feedback_buttons',
    positive_button: { text: plain('Good'), value: good },
    negative_button: { text: plain('Bad'), value: bad },
  });
const button = (more: object) => ({ type: 'button', text: plain('Go'), ...more });

/** Texts that a machine reads back: what makes blocks with one, where it stands in them, and its limit. */
const values: [string, (value: string) => readonly unknown[], string, LimitName][] = [
  ['the value of a button', (value) => actions(button({ value })), '/0/elements/0/value', 'button.value'],
  [
    'the value of a button beside a section',
    (value) => [{ type: 'section', text: plain('x'), accessory: button({ action_id: 'a', value }) }],
    '/0/accessory/value',
    'button.value',
  ],
  [
    'the value of a button of a card',
    (value) => [{ type: 'card', title: plain('x'), actions: [button({ action_id: 'a', value })] }],
    '/0/actions/0/value',
    'button.value',
  ],
  [
    'the value of a button in a cell',
    (value) => [
      {
        type: 'data_table',
        caption: 'x',
        rows: [
          [{ type: 'raw_text', text: 'x' }],
          [{ type: 'action_cell', element: button({ action_id: 'a', value }) }],
        ],
      },
    ],
    '/0/rows/1/0/element/value',
    'button.value',
  ],
  [
    'what good feedback means',
    (value) => feedback(value, 'x'),
    '/0/elements/0/positive_button/value',
    'button.value',
  ],
  [
    'what bad feedback means',
    (value) => feedback('x', value),
    '/0/elements/0/negative_button/value',
    'button.value',
  ],
  [
    'the value of an icon button',
    (value) => inContext({ type: 'icon_button', icon: 'trash', text: plain('x'), value }),
    '/0/elements/0/value',
    'button.value',
  ],
  [
    'the value of an option',
    (value) => actions({ type: 'static_select', options: [{ text: plain('x'), value }] }),
    '/0/elements/0/options/0/value',
    'option.value',
  ],
  [
    'the value of a ticked option',
    (value) => actions({ type: 'checkboxes', options: [{ text: plain('x'), value }] }),
    '/0/elements/0/options/0/value',
    'option.value',
  ],
  [
    'a parameter of a workflow',
    (value) =>
      actions({
        type: 'workflow_button',
        text: plain('x'),
        workflow: {
          trigger: { url: 'https://e.com', customizable_input_parameters: [{ name: 'a', value }] },
        },
      }),
    '/0/elements/0/workflow/trigger/customizable_input_parameters/0/value',
    'workflow_button.parameter',
  ],
  [
    'what a button asks an agent',
    (agent_prompt) => actions(button({ agent_prompt })),
    '/0/elements/0/agent_prompt',
    'button.agent_prompt',
  ],
  [
    'the id of a task',
    (task_id) => [{ type: 'task_card', task_id, title: 'x' }],
    '/0/task_id',
    'task_card.task_id',
  ],
];

describe('a text that a machine reads back', () => {
  it.each(values)(
    'stays whole up to its limit, also as JSON with data in it: %s',
    (_, blocksOf, pointer, limit) => {
      const { max } = limitOf(limit);
      const start = '{"n":"';
      const long = 'ü&<'.repeat(max).slice(0, max - start.length - 2);
      const result = attempt(blocksOf(`${start}{{n}}"}`), { n: long });
      expect(result).toMatchObject({ ok: true, fieldsTruncated: 0 });
      const value = result.ok ? resolvePointer(result.blocks, pointer) : undefined;
      expect(JSON.parse(String(value))).toEqual({ n: long });
    },
  );

  it.each(values)('is refused over its limit and never cut: %s', (_, blocksOf, pointer, limit) => {
    const { max } = limitOf(limit);
    const over = 'x'.repeat(max + 1);
    const problem = { pointer, rule: 'limit.max', limit, max, actual: max + 1 };
    expect(attempt(blocksOf(over))).toMatchObject({ ok: false, problems: [problem] });
    const made = attempt(blocksOf('{{n}}'), { n: over });
    expect(made).toMatchObject({ ok: false, code: 'compilation_failed', problems: [problem] });
    expect(made.ok || made.problems[0]?.message).toContain('it is not cut: make it shorter');
  });
});
