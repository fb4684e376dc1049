import { describe, expect, it } from '@jest/globals';
import { header, problemsOf, section } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const asked = (element: object) => [{ type: 'input', label: plain('x'), element }];
const view = { surface: 'view' } as const;

describe('a problem of a value', () => {
  const secret = 'top-secret-value';
  const choice = (level: string) => [
    { type: 'actions', elements: [{ type: 'button', action_id: 'a', text: plain('x'), style: level }] },
  ];

  it.each([
    ['a choice', choice('{{v}}'), {}],
    ['a flag', [section('x', { expand: '{{v}}' })], {}],
    ['a number', [{ ...header('x'), level: '{{v}}' }], {}],
    ['a list of ids', asked({ type: 'multi_users_select', action_id: 'a', initial_users: '{{v}}' }), view],
    ['a date', asked({ type: 'datepicker', action_id: 'a', initial_date: '{{v}}' }), view],
    ['a time', asked({ type: 'timepicker', action_id: 'a', initial_time: '{{v}}' }), view],
    ['a zone', asked({ type: 'timepicker', action_id: 'a', timezone: '{{v}}' }), view],
    [
      'a number as text',
      asked({ type: 'number_input', action_id: 'a', is_decimal_allowed: true, min_value: '{{v}}' }),
      view,
    ],
  ])('never quotes the data, and names its path and its kind: %s', (_, blocks, options) => {
    const v = /initial_users/.test(JSON.stringify(blocks)) ? [{ secret }] : secret;
    const [problem] = problemsOf(blocks, { v }, options);
    expect(problem?.message).not.toContain('secret');
    expect(problem?.message).toContain('`v`');
  });

  it('may quote what the template writes', () => {
    expect(problemsOf(choice('loud'))[0]?.message).toBe('This is "loud", not one of primary, danger.');
  });
});
