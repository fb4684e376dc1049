import { describe, expect, it } from '@jest/globals';
import { blockSamples } from '../testing/block-samples.ts';
import { findProblems } from './block-list.ts';

const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const button = (more: object = {}) => ({ type: 'button', text: plain('Go'), ...more });
const option = (value: string) => ({ text: plain(value), value });
const actions = (...elements: unknown[]) => ({ type: 'actions', elements });
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));

const messageLines = (...blocks: unknown[]) =>
  findProblems(blocks, 'message', '/blocks').map(({ pointer, reason }) => `${pointer}: ${reason}`);
const viewLines = (...blocks: unknown[]) =>
  findProblems(blocks, 'view', '/blocks').map(({ pointer, reason }) => `${pointer}: ${reason}`);

describe('blocks of a message', () => {
  const breaches: [string, unknown, string][] = [
    [
      'a header over 150 characters',
      { type: 'header', text: plain('x'.repeat(151)) },
      '/blocks/0/text/text: must be less than 151 characters',
    ],
    [
      'an empty header',
      { type: 'header', text: plain('') },
      '/blocks/0/text/text: must be more than 0 characters',
    ],
    [
      'a header in mrkdwn',
      { type: 'header', text: mrkdwn('x') },
      '/blocks/0/text/type: unsupported type: mrkdwn',
    ],
    [
      'a section text over 3000 characters',
      { type: 'section', text: mrkdwn('x'.repeat(3_001)) },
      '/blocks/0/text/text: must be less than 3001 characters',
    ],
    [
      'a section field over 2000 characters',
      { type: 'section', fields: [mrkdwn('x'.repeat(2_001))] },
      '/blocks/0/fields/0/text: must be less than 2001 characters',
    ],
    [
      'more than 10 fields',
      { type: 'section', fields: times(11, () => mrkdwn('x')) },
      '/blocks/0/fields: no more than 10 items allowed',
    ],
    [
      'a section without text and fields',
      { type: 'section' },
      '/blocks/0: missing required field: one of text, fields',
    ],
    [
      'an invalid accessory',
      { type: 'section', text: mrkdwn('x'), accessory: { type: 'plain_text_input' } },
      '/blocks/0/accessory/type: unsupported type: plain_text_input',
    ],
    [
      'a field that the platform does not know',
      { type: 'divider', id: 'x' },
      '/blocks/0: invalid additional property: id',
    ],
    [
      'an image without its address',
      { type: 'image', alt_text: 'x' },
      '/blocks/0: missing required field: image_url',
    ],
    [
      'an invalid image address',
      { type: 'image', alt_text: 'x', image_url: 'cat.png' },
      '/blocks/0/image_url: must be a web address (https://…)',
    ],
    [
      'a button text over 75 characters',
      actions(button({ text: plain('x'.repeat(76)) })),
      '/blocks/0/elements/0/text/text: must be less than 76 characters',
    ],
    [
      'an invalid button style',
      actions(button({ style: 'loud' })),
      '/blocks/0/elements/0/style: must be one of: primary, danger',
    ],
    [
      'more than 25 elements',
      actions(...times(26, () => button())),
      '/blocks/0/elements: no more than 25 items allowed',
    ],
    [
      'an action_id twice in a block',
      actions(button({ action_id: 'a' }), button({ action_id: 'a' })),
      '/blocks/0/elements/1/action_id: action_id must be unique inside its block',
    ],
    [
      'a block_id twice, in two cards of a carousel',
      {
        type: 'carousel',
        elements: times(2, () => ({ type: 'card', block_id: 'same', title: plain('x') })),
      },
      '/blocks/0/elements/1/block_id: block_id must be unique',
    ],
    [
      'an action_id twice in a card',
      { type: 'card', actions: [button({ action_id: 'a' }), button({ action_id: 'a' })] },
      '/blocks/0/actions/1/action_id: action_id must be unique inside its block',
    ],
    [
      'an initial option that is not offered',
      actions({ type: 'static_select', options: [option('a')], initial_option: option('b') }),
      '/blocks/0/elements/0/initial_option: initial option must equal one of the options',
    ],
    [
      'options beside option groups',
      actions({
        type: 'static_select',
        options: [option('a')],
        option_groups: [{ label: plain('g'), options: [option('a')] }],
      }),
      '/blocks/0/elements/0: only one of options, option_groups is allowed',
    ],
    [
      'a confirm dialog over its limit',
      actions(button({ confirm: { title: plain('x'.repeat(101)), text: plain('x') } })),
      '/blocks/0/elements/0/confirm/title/text: must be less than 101 characters',
    ],
    [
      'an invalid date',
      actions({ type: 'datepicker', initial_date: '1.2.2026' }),
      '/blocks/0/elements/0/initial_date: must be a date as YYYY-MM-DD',
    ],
    [
      'an empty text in rich text',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }],
      },
      '/blocks/0/elements/0/elements/0/text: must be more than 0 characters',
    ],
    [
      'a list indented too deep',
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_list',
            style: 'bullet',
            indent: 9,
            elements: [{ type: 'rich_text_section', elements: [] }],
          },
        ],
      },
      '/blocks/0/elements/0/indent: must be between 0 and 8',
    ],
    [
      'a markdown block over 12,000 characters',
      { type: 'markdown', text: 'x'.repeat(12_001) },
      '/blocks/0/text: must be less than 12001 characters',
    ],
    [
      'a block_id over 255 characters',
      { type: 'divider', block_id: 'x'.repeat(256) },
      '/blocks/0/block_id: must be less than 256 characters',
    ],
    [
      'rich text in the header of a data table',
      {
        type: 'data_table',
        caption: 'c',
        rows: [[blockSamples.rich_text], [{ type: 'raw_text', text: 'x' }]],
      },
      '/blocks/0/rows/0/0/type: unsupported type: rich_text',
    ],
    [
      'a chart without a value for each category',
      {
        type: 'data_visualization',
        title: 't',
        chart: {
          type: 'bar',
          series: [{ name: 's', data: [{ label: 'a', value: 1 }] }],
          axis_config: { categories: ['a', 'b'] },
        },
      },
      '/blocks/0/chart/series/0/data: must have one value for each category, in their order',
    ],
    [
      'a container that starts collapsed but cannot collapse',
      { type: 'container', title: plain('t'), child_blocks: [{ type: 'divider' }], default_collapsed: true },
      '/blocks/0/default_collapsed: needs is_collapsible',
    ],
    [
      'an alert, which is for views',
      { type: 'alert', text: plain('x') },
      '/blocks/0/type: unsupported type: alert',
    ],
    [
      'a file, which apps cannot post',
      { type: 'file', external_id: 'x', source: 'remote' },
      '/blocks/0/type: unsupported type: file',
    ],
    [
      'a button that leads nowhere',
      actions(button({ url: 'javascript:alert(1)' })),
      '/blocks/0/elements/0/url: must be an address with its scheme (https://…, mailto:…, or an app link like slack://…)',
    ],
    [
      'a source of a task without a scheme',
      { type: 'task_card', task_id: 'a', title: 'x', sources: [{ type: 'url', url: 'e.com/x', text: 'x' }] },
      '/blocks/0/sources/0/url: must be an address with its scheme (https://…, mailto:…, or an app link like slack://…)',
    ],
    [
      'a video without https',
      { ...blockSamples.video, video_url: 'http://e.com/' },
      '/blocks/0/video_url: must be an address with https',
    ],
    [
      'a value over 2,000 characters',
      actions(button({ value: 'x'.repeat(2_001) })),
      '/blocks/0/elements/0/value: must be less than 2001 characters',
    ],
    [
      'a day that the calendar does not have',
      actions({ type: 'datepicker', initial_date: '2026-02-31' }),
      '/blocks/0/elements/0/initial_date: must be a date as YYYY-MM-DD',
    ],
    [
      'a zone that is none',
      actions({ type: 'timepicker', timezone: 'Mars/Olympus' }),
      '/blocks/0/elements/0/timezone: must be an IANA time zone (Europe/Berlin)',
    ],
    [
      'an icon of a button out of the list',
      { type: 'context_actions', elements: [{ type: 'icon_button', icon: 'bin', text: plain('x') }] },
      '/blocks/0/elements/0/icon: must be one of: trash',
    ],
    [
      'more initial choices than may be selected',
      actions({ type: 'multi_users_select', initial_users: ['U1', 'U2'], max_selected_items: 1 }),
      '/blocks/0/elements/0/initial_users: no more than 1 items allowed',
    ],
    [
      'an inline element without what it needs',
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'canvas' }] }] },
      '/blocks/0/elements/0/elements/0: missing required field: file_id',
    ],
    [
      'an inline element near a known one',
      { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'lnk' }] }] },
      '/blocks/0/elements/0/elements/0/type: unsupported type: lnk',
    ],
    [
      'a button in a cell of a simple table',
      { type: 'table', rows: [[{ type: 'action_cell', element: button() }]] },
      '/blocks/0/rows/0/0/type: unsupported type: action_cell',
    ],
    [
      'an action_id twice in the cells of a table',
      {
        type: 'data_table',
        caption: 'c',
        rows: times(2, () => [{ type: 'action_cell', element: button({ action_id: 'a' }) }]),
      },
      '/blocks/0/rows/1/0/element/action_id: action_id must be unique inside its block',
    ],
    ['a value that is not a block', 'hello', '/blocks/0: must provide an object'],
  ];
  for (const [what, block, line] of breaches) {
    it(`may not hold ${what}`, () => {
      expect(messageLines(block)).toEqual([line]);
    });
  }

  it('are counted in code points, so 150 emoji fit a header', () => {
    expect(messageLines({ type: 'header', text: plain('🚀'.repeat(150)) })).toEqual([]);
    expect(messageLines({ type: 'header', text: plain('🚀'.repeat(151)) })).toHaveLength(1);
  });

  it('may hold an inline element that the tables do not know yet', () => {
    const hologram = { type: 'hologram', depth: 3 };
    expect(
      messageLines({ type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [hologram] }] }),
    ).toEqual([]);
  });

  it('may be 50, not 51', () => {
    expect(messageLines(...times(50, () => ({ type: 'divider' })))).toEqual([]);
    expect(messageLines(...times(51, () => ({ type: 'divider' })))).toEqual([
      '/blocks: no more than 50 items allowed',
    ]);
  });

  it('may not share a block_id', () => {
    const lines = messageLines({ type: 'divider', block_id: 'a' }, { type: 'divider', block_id: 'a' });
    expect(lines).toEqual(['/blocks/1/block_id: block_id must be unique']);
  });

  it('are reported with every breach, not only the first', () => {
    expect(messageLines({ type: 'header' }, { type: 'sektion' })).toEqual([
      '/blocks/0: missing required field: text',
      '/blocks/1/type: unsupported type: sektion',
    ]);
  });
});

describe('blocks of a view', () => {
  it('may be alerts and up to 100', () => {
    expect(viewLines({ type: 'alert', text: plain('x'), level: 'warning' })).toEqual([]);
    expect(viewLines(...times(101, () => ({ type: 'divider' })))).toEqual([
      '/blocks: no more than 100 items allowed',
    ]);
  });

  it('may not be containers', () => {
    expect(viewLines(blockSamples.container)).toEqual(['/blocks/0/type: unsupported type: container']);
  });

  it('begin with numbers and texts that a person could give', () => {
    const asked = (element: object) => ({ type: 'input', label: plain('x'), element });
    expect(
      viewLines(
        asked({ type: 'number_input', is_decimal_allowed: false, initial_value: '11.5', max_value: '10' }),
        asked({ type: 'plain_text_input', initial_value: 'abcd', max_length: 3 }),
      ),
    ).toEqual([
      '/blocks/0/element: initial_value must not be above max_value',
      '/blocks/0/element/initial_value: must be a whole number',
      '/blocks/1/element/initial_value: must be less than 4 characters',
    ]);
  });

  it('may not be of types for messages only', () => {
    expect(viewLines(blockSamples.markdown)).toEqual(['/blocks/0/type: unsupported type: markdown']);
  });

  it('must be at least one', () => {
    expect(viewLines()).toEqual(['/blocks: no fewer than 1 items allowed']);
  });
});
