import { describe, expect, it } from '@jest/globals';
import { parseView, runView } from '../index.ts';
import { attempt, now } from '../testing/compile.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const actions = (element: object) => [{ type: 'actions', elements: [{ action_id: 'a', ...element }] }];
const asked = (element: object) => [
  { type: 'input', label: plain('x'), element: { action_id: 'a', ...element } },
];
const numberInput = (initial: string) =>
  asked({ type: 'number_input', is_decimal_allowed: true, initial_value: initial });

const firstOf = (blocks: readonly unknown[], data: Record<string, unknown> = {}) => {
  const result = attempt(blocks, data);
  if (result.ok) throw new Error('compiled');
  return result.problems[0];
};

describe('a problem of a text in a form of its own', () => {
  const moment = '2026-02-28T10:00:00.000+01:00';
  const forms: [string, (text: string) => readonly unknown[], string, RegExp][] = [
    ['a date', (initial_date) => actions({ type: 'datepicker', initial_date }), moment, /date:"yyyy-MM-dd"/],
    ['a time', (initial_time) => actions({ type: 'timepicker', initial_time }), moment, /date:"HH:mm"/],
    ['a number', numberInput, '1e+21', /no exponent/],
    ['an address', (url) => actions({ type: 'button', text: plain('x'), url }), 'e.com/x', /in full/],
    ['a time zone', (timezone) => actions({ type: 'timepicker', timezone }), 'Mars/'.repeat(20), /^$/],
  ];

  it.each(forms)(
    'says what is needed and the way there, also where the text is too long: %s',
    (_, blocksOf, text, way) => {
      for (const problem of [firstOf(blocksOf(text)), firstOf(blocksOf('{{t}}'), { t: text })]) {
        expect(problem?.message).toMatch(/^Expected an? |an? .* is needed here|needed here is an? /);
        expect(problem?.hint ?? '').toMatch(way);
      }
    },
  );
});

describe('a problem of a text that is made in a loop', () => {
  it.each([
    [{ url: 'e.com' }, '`orders[1].url`'],
    [{ id: 'x'.repeat(2001) }, '`orders[1].id`, `orders[1].url`'],
  ])('names the item of the data', (wrong, paths) => {
    const url = 'https://e.com/';
    const button = {
      type: 'button',
      text: plain('x'),
      url: '{{this.url}}',
      value: '{{this.id}}{{this.url}}',
    };
    const each = { type: 'directive', directive: '#each', path: 'orders', children: [button] };
    const blocks = [{ type: 'actions', elements: [each] }];
    const orders = [
      { id: 1, url },
      { id: 2, url, ...wrong },
    ];
    expect(firstOf(blocks, { orders })?.message).toContain(`${paths}.`);
  });
});

it('is named by its path where a batch leaves an event out, because an address of it is none', () => {
  const image = { type: 'image', image_url: '{{this.avatar}}', alt_text: 'x' };
  const blocks = [{ type: 'directive', directive: '#each', path: 'events', children: [image] }];
  const result = attempt(blocks, { events: [{ avatar: '/a.png' }] }, { leavesOut: true });
  expect(result).toMatchObject({
    leftOut: {
      entries: [
        {
          path: 'events[0].avatar',
          message: expect.stringContaining('`events[0].avatar` does not have the form'),
        },
      ],
    },
  });
});

it('has the right article', () => {
  const section = { type: 'section', text: { type: 'mrkdwn', text: 'x' }, accessory: null };
  expect(firstOf([section])?.message).toBe('Expected an element object, found null.');
});

describe('a problem between the keys of an object', () => {
  const options = [{ text: plain('a'), value: '1' }];
  const select = actions({
    type: 'static_select',
    options,
    initial_option: { text: plain('b'), value: '2' },
  });

  it('is said of the object as a whole', () => {
    expect(firstOf(select)?.message).toBe(
      'In a static_select element, `initial_option` is none of the options.',
    );
    const made = actions({
      type: 'static_select',
      options,
      initial_option: { text: plain('{{t}}'), value: '2' },
    });
    const result = attempt(made, { t: 'b' });
    expect(result.ok && result.warnings[0]).toBe(
      '/0/elements/0: in a static_select element, `initial_option` is none of the options; it is left out.',
    );
  });

  it('takes those of several choices alone that are not offered', () => {
    const each = (path: string) => ({
      type: 'directive',
      directive: '#each',
      path,
      children: [{ text: plain('{{this}}'), value: '{{this}}' }],
    });
    const chosen = (data: Record<string, unknown>) => {
      const elements = [
        { type: 'checkboxes', action_id: 'a', options: [each('all')], initial_options: [each('on')] },
      ];
      const result = attempt([{ type: 'actions', elements }], { all: ['a', 'b'], ...data });
      if (!result.ok) throw new Error(JSON.stringify(result.problems));
      const values = JSON.stringify(result.blocks).match(/(?<="initial_options":).*?]/)?.[0];
      return [values && JSON.parse(values).map(({ value }: { value: string }) => value), result.warnings[0]];
    };
    expect(chosen({ on: ['gone', 'b'] })).toEqual([
      ['b'],
      '/0/elements/0: in a checkboxes element, `initial_options` holds what is none of the options; it is left out.',
    ]);
    expect(chosen({ on: ['b', 'a'] })[0]).toEqual(['b', 'a']);
    expect(chosen({ on: ['gone'] })[0]).toBeUndefined();
  });
});

describe('a problem of a count', () => {
  it('says one item of one', () => {
    const table = { type: 'table', rows: [[{ type: 'raw_text', text: 'x' }]] };
    expect(firstOf([table, table])?.message).toMatch(/^At most 1 item fits here \(limit `message.tables`\)/);
    expect(firstOf(actions({ type: 'overflow', options: [] }))?.message).toMatch(
      /^At least 1 item is needed/,
    );
    const caption = { type: 'data_table', caption: 'x', rows: table.rows };
    expect(firstOf([caption])?.message).toMatch(/^At least 2 items are needed .* but there is 1\.$/);
  });

  it.each(['table', 'data_table'])('names the key that shows fewer rows of a %s', (type) => {
    const caption = type === 'table' ? {} : { caption: 'x' };
    const bound = { type, ...caption, source: 'rows', columns: [{ header: 'A', value: '{{this}}' }] };
    expect(firstOf([bound], { rows: Array(150).fill(1) })?.message).toMatch(/`max_rows` of a `source`/);
  });

  it('names the way out of several fields that would have the cursor', () => {
    const blocks = ['a', 'b'].map((action_id) => ({
      type: 'input',
      label: plain('x'),
      element: { type: 'plain_text_input', action_id, focus_on_load: true },
    }));
    const parsed = parseView({ title: 'x', submit_label: 'y', blocks });
    if (!parsed.ok) throw new Error('parses');
    const result = runView(parsed.program, {}, { now });
    expect(result.ok || result.problems[0]?.message).toMatch(/Let one element alone have it\.$/);
  });
});

describe('what other template languages have', () => {
  const text = (written: string) => [{ type: 'section', text: { type: 'mrkdwn', text: written } }];
  const directive = (more: object) => [{ type: 'directive', children: [], ...more }];
  const image = { type: 'image', image_url: 'https://e.com/a.png', alt_text: 'a' };

  it.each([
    ['{{price * 2}}', /no operators/, /`#if`.*`\["price \* 2"\]`/],
    ['{{order.paid ? "yes" : "no"}}', /no operators/, /`#if`/],
    ['{{name or "there"}}', /no operators/, /`default`/],
    ['{{name || "there"}}', /followed by a filter/, /default:/],
    ['{{row.R and D}}', /no operators/, /`row\["R and D"\]`/],
    ['{{row.order name}}', /key with spaces/, /`row\["order name"\]`/],
  ])('is named with what takes its place: %s', (written, message, hint) => {
    expect(firstOf(text(written))).toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it.each([
    ['a loop', directive({ directive: '#each', path: '{{ order.lines }}' })],
    ['a condition', directive({ directive: '#if', condition: { path: '{{order.lines}}' } })],
    [
      'a table',
      [{ type: 'table', source: '{{order.lines}}', columns: [{ header: 'A', value: '{{this}}' }] }],
    ],
  ])('says that a path has no braces: %s', (_, blocks) => {
    expect(firstOf(blocks)?.hint).toBe('Braces stand in texts alone; the path is `order.lines`.');
  });

  it('says where a directive goes that stands in place of one element', () => {
    const accessory = { type: 'directive', directive: '#if', condition: { path: 'a' }, children: [image] };
    expect(firstOf([{ ...text('x')[0], accessory }])).toMatchObject({
      pointer: '/0/accessory/type',
      hint: expect.stringContaining('entry of a list'),
    });
  });
});
