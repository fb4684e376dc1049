import { describe, expect, it } from '@jest/globals';
import { attempt, compile, header, problemsOf } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const asked = (element: object) => [{ type: 'input', label: plain('x'), element }];
const view = { surface: 'view' } as const;
const line = (...elements: unknown[]) => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
];

describe('what the documentation refuses is found before it is sent', () => {
  const picker = (more: object) => asked({ type: 'datepicker', action_id: 'a', ...more });
  const card = (name: string) => [{ type: 'card', title: plain('x'), slack_icon: { type: 'icon', name } }];
  const icon = (name: string) => [
    {
      type: 'context_actions',
      elements: [{ type: 'icon_button', action_id: 'a', icon: name, text: plain('x') }],
    },
  ];
  const number = (more: object) =>
    asked({ type: 'number_input', action_id: 'a', is_decimal_allowed: false, ...more });
  const typedIn = (more: object) => asked({ type: 'plain_text_input', action_id: 'a', ...more });
  const option = (value: string) => ({ text: plain(value), value });
  const options = [option('a'), option('b')];
  const zone = (timezone: string) => asked({ type: 'timepicker', action_id: 'a', timezone });
  const date = (timezone: string) => line({ type: 'date', timestamp: 1, format: '{time}', timezone });

  it.each([
    [
      'a container in a view',
      [{ type: 'container', title: plain('x'), child_blocks: [{ type: 'divider' }] }],
      '/0/type',
      'type.surface',
    ],
    ['an icon of a card out of the list', card('robot'), '/0/slack_icon/name', 'value.choice'],
    ['an icon of a button out of the list', icon('bin'), '/0/elements/0/icon', 'value.choice'],
    ['a month that is none', picker({ initial_date: '2026-13-45' }), '/0/element/initial_date', 'value.form'],
    ['a day that is none', picker({ initial_date: '2026-02-31' }), '/0/element/initial_date', 'value.form'],
    [
      'a leap day in another year',
      picker({ initial_date: '2027-02-29' }),
      '/0/element/initial_date',
      'value.form',
    ],
    ['a zone of a time that is none', zone('Mars/Olympus'), '/0/element/timezone', 'value.form'],
    ['an offset for a zone', zone('+02:00'), '/0/element/timezone', 'value.form'],
    [
      'a zone of a date that is none',
      date('Mars/Olympus'),
      '/0/elements/0/elements/0/timezone',
      'value.form',
    ],
    [
      'a number above its maximum',
      number({ initial_value: '11', max_value: '10' }),
      '/0/element/initial_value',
      'value.form',
    ],
    [
      'a number below its minimum',
      number({ initial_value: '1', min_value: '2' }),
      '/0/element/initial_value',
      'value.form',
    ],
    [
      'a minimum above its maximum',
      number({ min_value: '3', max_value: '2' }),
      '/0/element/min_value',
      'value.form',
    ],
    ['decimals to begin with', number({ initial_value: '1.5' }), '/0/element/initial_value', 'value.form'],
    ['decimals of a minimum', number({ min_value: '0.5' }), '/0/element/min_value', 'value.form'],
    ['decimals of a maximum', number({ max_value: '9.5' }), '/0/element/max_value', 'value.form'],
    [
      'a text longer than its maximum',
      typedIn({ initial_value: 'abcd', max_length: 3 }),
      '/0/element/initial_value',
      'value.form',
    ],
    [
      'a text shorter than its minimum',
      typedIn({ initial_value: 'ab', min_length: 3 }),
      '/0/element/initial_value',
      'value.form',
    ],
    [
      'more options chosen than may be',
      asked({
        type: 'multi_static_select',
        action_id: 'a',
        options,
        initial_options: options,
        max_selected_items: 1,
      }),
      '/0/element/initial_options',
      'value.form',
    ],
    ...(['users', 'conversations', 'channels'] as const).map(
      (kind) =>
        [
          `more ${kind} chosen than may be`,
          asked({
            type: `multi_${kind}_select`,
            action_id: 'a',
            [`initial_${kind}`]: ['X1', 'X2'],
            max_selected_items: 1,
          }),
          `/0/element/initial_${kind}`,
          'value.form',
        ] as const,
    ),
    [
      'more found options chosen than may be',
      asked({
        type: 'multi_external_select',
        action_id: 'a',
        initial_options: options,
        max_selected_items: 1,
      }),
      '/0/element/initial_options',
      'value.form',
    ],
    ['a heading below the fourth', [{ ...header('x'), level: 5 }], '/0/level', 'value.type'],
  ] as [string, unknown[], string, string][])('%s', (what, blocks, pointer, rule) => {
    const surface = /view|number|text|month|day|zone of a time|offset|minimum|maximum|decimals|chosen/.test(
      what,
    )
      ? view
      : {};
    expect(problemsOf(blocks, {}, surface)).toMatchObject([{ pointer, rule }]);
  });

  it('names the nearest of a closed list', () => {
    expect(problemsOf(card('calender'))).toMatchObject([{ hint: 'Did you mean `calendar`?' }]);
  });

  it('is left out with a warning where data makes it, or is a problem of the data', () => {
    const { blocks, warnings } = compile(
      typedIn({ initial_value: '{{v}}', max_length: 3 }),
      { v: 'abcd' },
      view,
    );
    expect(blocks).toEqual(typedIn({ max_length: 3 }));
    expect(warnings).toEqual([expect.stringContaining('4 characters')]);
    expect(attempt(picker({ initial_date: '{{v}}' }), { v: '2026-02-31' }, view)).toMatchObject({
      code: 'invalid_data',
      problems: [{ rule: 'value.form' }],
    });
  });

  it('is not what is documented', () => {
    for (const blocks of [
      picker({ initial_date: '2028-02-29' }),
      zone('Europe/Berlin'),
      number({ initial_value: '2', min_value: '2', max_value: '2' }),
      typedIn({ initial_value: '🚀🚀🚀', max_length: 3 }),
    ]) {
      expect(attempt(blocks, {}, view)).toMatchObject({ ok: true, blocks, warnings: [] });
    }
    for (const blocks of [
      card('star-filled'),
      icon('trash'),
      date('America/New_York'),
      [{ ...header('x'), level: 4 }],
    ]) {
      expect(attempt(blocks)).toMatchObject({ ok: true, blocks });
    }
  });
});
