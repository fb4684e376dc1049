import {
  asked,
  axes,
  button,
  card,
  chart,
  choices,
  confirm,
  container,
  elements,
  image,
  inline,
  moment,
  mrkdwn,
  plain,
  points,
  raw,
  richText,
  richTextInput,
  task,
  toTypeInto,
  video,
  workflowButton,
} from './native-blocks.ts';

/** Views as people paste them: every block type and element that a message does not hold. */
export const nativeView: readonly unknown[] = [
  { type: 'alert', block_id: 'note', text: mrkdwn('Be *careful*'), level: 'warning' },
  ...[...choices, moment, richTextInput, ...toTypeInto].map(asked),
  asked({ ...richTextInput, action_id: 'c8', initial_value: { type: 'text', text: 'as plain text' } }, 99),
  video,
];

/** Messages as people paste them from the platform's own builder: every block type, element and option of the catalogue. */
export const nativeMessages: Readonly<Record<string, readonly unknown[]>> = {
  'texts and images': [
    { type: 'header', text: plain('Deploy finished'), block_id: 'head' },
    { type: 'header', text: plain('What changed'), level: 2 },
    {
      type: 'section',
      text: { ...mrkdwn('*checkout* <https://example.com|v1.4> & more'), verbatim: true },
      expand: true,
    },
    { type: 'section', fields: [mrkdwn('*Env*\nproduction'), plain('Duration: 5m')] },
    { type: 'section', text: plain('With a picture'), accessory: image },
    { type: 'divider', block_id: 'line' },
    { ...image, title: plain('A picture'), block_id: 'pic' },
    { type: 'image', slack_file: { id: 'F0123' }, alt_text: 'a file' },
    { type: 'context', elements: [mrkdwn('by <@U0ADA>'), image, plain(':tada:')] },
    { type: 'markdown', text: '# Title\n\n- [link](https://example.com)\n- **bold**' },
  ],
  elements: [
    { type: 'actions', block_id: 'act', elements },
    ...elements.map((element, index) => ({
      type: 'section',
      block_id: `section-${index}`,
      text: mrkdwn('x'),
      accessory: element,
    })),
  ],
  'rich text': [
    {
      type: 'rich_text',
      block_id: 'rich',
      elements: [
        { type: 'rich_text_section', elements: inline },
        { type: 'rich_text_section', elements: [] },
        {
          type: 'rich_text_list',
          style: 'ordered',
          indent: 1,
          offset: 2,
          border: 1,
          elements: [{ type: 'rich_text_section', elements: inline }],
        },
        { type: 'rich_text_quote', border: 1, elements: inline },
        {
          type: 'rich_text_preformatted',
          language: 'ts',
          border: 0,
          elements: [
            { type: 'text', text: 'const a = 1;' },
            { type: 'link', url: 'https://example.com' },
          ],
        },
      ],
    },
  ],
  'choices and buttons': [
    { type: 'actions', elements: [...choices, moment, richTextInput, workflowButton] },
    ...[...choices, workflowButton].map((element) => ({
      type: 'section',
      text: plain('x'),
      accessory: element,
    })),
    asked({ type: 'plain_text_input', action_id: 'a' }, 1),
    {
      type: 'context_actions',
      elements: [
        {
          type: 'feedback_buttons',
          action_id: 'f',
          positive_button: { text: plain('Good'), value: 'good', accessibility_label: 'good answer' },
          negative_button: { text: plain('Bad'), value: 'bad' },
        },
        {
          type: 'icon_button',
          action_id: 'i',
          icon: 'trash',
          text: plain('Delete'),
          value: '1',
          visible_to_user_ids: ['U0ADA'],
          confirm,
        },
      ],
    },
  ],
  'tables and charts': [
    {
      type: 'table',
      block_id: 'prices',
      column_settings: [null, { align: 'right', is_wrapped: true }],
      rows: [
        [raw('Item'), richText],
        [raw('Espresso'), raw('€3.50')],
      ],
    },
    chart('pie', { type: 'pie', segments: points(1, 2) }),
    chart('line', {
      type: 'line',
      series: [
        { name: 'Shop', data: points(-1, 2.5) },
        { name: 'Online', data: points(0, 1) },
      ],
      axis_config: axes,
    }),
  ],
  'more tables': [
    {
      type: 'data_table',
      caption: 'Scores',
      page_size: 5,
      row_header_column_index: 0,
      rows: [
        [raw('Name'), raw('Score'), raw('Do')],
        [richText, { type: 'raw_number', value: -1, text: '-1' }, { type: 'action_cell', element: button }],
        [
          raw('Ada'),
          raw('none'),
          { type: 'action_cell', element: { ...button, action_id: 'book-2' }, fallback: raw('Book') },
        ],
      ],
    },
  ],
  'more charts': [
    chart('bar', { type: 'bar', series: [{ name: 'Shop', data: points(1, 2) }], axis_config: axes }),
    chart('area', {
      type: 'area',
      series: [{ name: 'Shop', data: points(1) }],
      axis_config: { categories: ['Q1'] },
    }),
  ],
  'cards, videos and tasks': [
    { ...card, block_id: 'one' },
    { type: 'card', icon: image, title: plain('Plain') },
    { type: 'carousel', elements: [card, { ...card, block_id: 'two' }] },
    video,
    container([
      { type: 'header', text: plain('Inside') },
      { type: 'section', text: mrkdwn('The cause was a *full disk*.') },
      { type: 'context', elements: [mrkdwn('by Ada')] },
      { type: 'actions', elements: [{ ...button, action_id: 'in' }] },
      { ...richText, block_id: 'rich-in' },
      { type: 'table', rows: [[raw('a')], [raw('b')]] },
      image,
      { ...video, block_id: 'film-in' },
      { ...asked(toTypeInto[0] ?? {}, 100), block_id: 'asked-in' },
    ]),
    { type: 'plan', title: 'Release', tasks: [task, { ...task, type: 'task_card', block_id: 'task' }] },
    { type: 'task_card', ...task },
  ],
};
