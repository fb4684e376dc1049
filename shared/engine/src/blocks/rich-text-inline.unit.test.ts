import { describe, expect, it } from '@jest/globals';
import { attempt, compile, problemsOf } from '../testing/compile.ts';

const line = (...elements: unknown[]) => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
];

/** Inline elements with the keys that the documentation requires, and no others. */
const inline: Record<string, object> = {
  tag: { text: 'In progress' },
  canvas: { file_id: 'F1' },
  canvas_user_mention: { user_id: 'U1' },
  canvas_message_unfurl: { root_message_ts: '1783613573', root_message_channel: 'C1' },
  citation: {
    url: 'https://e.com',
    text: 'a source',
    index: 1,
    details: { citation_type: 'message', channel: 'C1', message_ts: '1783613573.000100' },
  },
  file: { file_id: 'F1' },
  list_record: { file_id: 'F1' },
  message_mention: { channel_id: 'C1', message_ts: '1783613573.000100' },
  salesforce_data_field: { salesforce_record_id: '001' },
  work_object_mention: { entity_id: 'E1', app_id: 'A1', text: 'Case', url: 'https://e.com' },
  workflow_mention: { workflow_id: 'Wf1', function_trigger_id: 'Ft1', text: 'Run' },
  attachment_mention: { url: 'https://e.com' },
};

it.each([
  [':wave:', 'wave'],
  ['wave', 'wave'],
  [':wave::skin-tone-2:', 'wave::skin-tone-2'],
])('An emoji that data names as %s has no colons around its name', (given, name) => {
  const { blocks, text } = compile(line({ type: 'emoji', name: '{{status}}' }), { status: given });
  expect(blocks).toMatchObject(line({ type: 'emoji', name }));
  expect(text).toBe(`:${name}:`);
});

it('A link whose label comes out empty is sent without one, as its address is shown then', () => {
  const link = { type: 'link', url: 'https://e.com' };
  expect(compile(line({ ...link, text: '{{label}}' }), { label: '' }).blocks).toEqual(line(link));
});

describe('an inline element of the documentation', () => {
  const cases = Object.entries(inline);

  it.each(cases)('passes as it is, in a section, a list and a quote: %s', (type, keys) => {
    const element = { type, ...keys };
    const blocks = [
      ...line(element),
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_list',
            style: 'bullet',
            elements: [{ type: 'rich_text_section', elements: [element] }],
          },
          { type: 'rich_text_quote', elements: [element] },
        ],
      },
    ];
    expect(compile(blocks)).toMatchObject({ blocks });
    expect(compile(blocks).warnings.filter((it) => it.includes('tables of'))).toEqual([]);
  });

  it.each(cases.flatMap(([type, keys]) => Object.keys(keys).map((key) => [type, key] as const)))(
    'needs its keys: %s without %s',
    (type, key) => {
      const { [key]: _, ...rest } = { type, ...inline[type] } as Record<string, unknown>;
      expect(problemsOf(line(rest))).toMatchObject([{ rule: 'required' }]);
    },
  );

  it.each(
    cases.flatMap(([type, keys]) =>
      Object.entries(keys).flatMap(([key, value]) =>
        typeof value === 'string' ? [[type, key, value] as const] : [],
      ),
    ),
  )('takes values of the data: %s.%s', (type, key, value) => {
    const element = { type, ...inline[type], [key]: '{{v}}' };
    expect(compile(line(element), { v: value }).blocks).toEqual(line({ type, ...inline[type] }));
  });

  it('has a colour out of nine', () => {
    const tag = (color: string) => line({ type: 'tag', text: 'x', color });
    expect(attempt(tag('indigo'))).toMatchObject({ ok: true });
    expect(problemsOf(tag('bleu'))).toMatchObject([{ rule: 'value.choice', hint: 'Did you mean `blue`?' }]);
  });

  it('is part of the text of the notification', () => {
    const said = compile(
      line(
        { type: 'tag', text: 'New' },
        { type: 'text', text: ' ' },
        { type: 'workflow_mention', workflow_id: 'W', function_trigger_id: 'F', text: 'Run <it>' },
        { type: 'text', text: ' ' },
        { type: 'canvas', file_id: 'F1', label: 'Plan' },
      ),
    );
    expect(said.text).toBe('New Run &lt;it&gt; Plan');
  });
});
