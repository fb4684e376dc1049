const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (value: string) => ({
  text: plain(`Option ${value}`),
  value,
  description: plain('what it is'),
});
const confirm = {
  title: plain('Are you sure?'),
  text: mrkdwn('This cannot be *undone*.'),
  confirm: plain('Do it'),
  deny: plain('Stop'),
  style: 'danger',
};
const image = { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'a picture' };

const elements = [
  { type: 'button', text: plain('Approve'), action_id: 'approve', value: 'yes', style: 'primary', confirm },
  {
    type: 'button',
    text: plain('Open'),
    action_id: 'open',
    url: 'https://example.com/?a=1&b=2',
    accessibility_label: 'open it',
    visible_to_user_ids: ['U0ADA'],
  },
  {
    type: 'button',
    text: plain('Summarize'),
    action_id: 'ask',
    agent_prompt: 'Summarize this incident and suggest next steps.',
    agent_prompt_display: 'Summarize this incident',
  },
  {
    type: 'static_select',
    action_id: 's1',
    placeholder: plain('Choose'),
    options: [option('a'), option('b')],
    initial_option: option('a'),
  },
  {
    type: 'static_select',
    action_id: 's2',
    option_groups: [{ label: plain('Group'), options: [option('c')] }],
    focus_on_load: true,
  },
  {
    type: 'multi_static_select',
    action_id: 's3',
    options: [option('d')],
    initial_options: [option('d')],
    max_selected_items: 2,
  },
  { type: 'external_select', action_id: 's4', min_query_length: 2 },
  { type: 'multi_external_select', action_id: 's5', confirm },
  { type: 'users_select', action_id: 's6', initial_user: 'U0ADA' },
  { type: 'multi_users_select', action_id: 's7', initial_users: ['U0ADA', 'U0GRACE'] },
  {
    type: 'conversations_select',
    action_id: 's8',
    filter: { include: ['public', 'im'], exclude_bot_users: true },
  },
  { type: 'multi_conversations_select', action_id: 's9', default_to_current_conversation: true },
  { type: 'channels_select', action_id: 's10', initial_channel: 'C0GENERAL' },
  { type: 'multi_channels_select', action_id: 's11', initial_channels: ['C0GENERAL'] },
  { type: 'overflow', action_id: 'more', options: [{ ...option('e'), url: 'https://example.com' }], confirm },
];

const inline = [
  { type: 'text', text: 'bold & <plain>', style: { bold: true, italic: true, strike: false, code: false } },
  { type: 'link', url: 'https://example.com', text: 'a link', unsafe: true },
  { type: 'emoji', name: 'wave', skin_tone: 2 },
  { type: 'user', user_id: 'U0ADA' },
  { type: 'usergroup', usergroup_id: 'S0OPS' },
  { type: 'team', team_id: 'T0' },
  { type: 'channel', channel_id: 'C0GENERAL' },
  { type: 'broadcast', range: 'here' },
  { type: 'date', timestamp: 1_720_710_212, format: '{date_num} at {time}', fallback: 'in July' },
  { type: 'color', value: '#F405B3' },
  { type: 'date', timestamp: 1_720_710_212, format: '{time}', timezone: 'Europe/Berlin' },
  { type: 'tag', text: 'In progress', color: 'blue' },
  {
    type: 'attachment_mention',
    url: 'https://example.com/7',
    text: 'Case 7',
    icon_url: 'https://example.com/i.png',
  },
  { type: 'canvas', file_id: 'F0CANVAS', label: 'Plan', hide_title: true },
  { type: 'canvas_user_mention', user_id: 'U0ADA', thread_id: 'T1' },
  { type: 'canvas_message_unfurl', root_message_ts: '1783613573.000100', root_message_channel: 'C0GENERAL' },
  {
    type: 'citation',
    url: 'https://example.com/source',
    text: 'the source',
    index: 1,
    details: { citation_type: 'web', title: 'A page', snippet: 'so it says' },
    from_llm: true,
  },
  { type: 'file', file_id: 'F0FILE', text: 'report.pdf', url: 'https://example.com/report.pdf' },
  { type: 'list_record', file_id: 'F0LIST', record_id: 'R1', text: 'Row 1' },
  { type: 'message_mention', channel_id: 'C0GENERAL', message_ts: '1783613573.000100', text: 'a message' },
  {
    type: 'salesforce_data_field',
    salesforce_record_id: '001',
    salesforce_field_label: 'Amount',
    salesforce_include_field_label: true,
  },
  {
    type: 'work_object_mention',
    entity_id: 'E1',
    app_id: 'A1',
    text: 'Case 7',
    url: 'https://example.com/case/7',
    style: { bold: true },
  },
  {
    type: 'workflow_mention',
    workflow_id: 'Wf1',
    function_trigger_id: 'Ft1',
    text: 'Run it',
    url: 'https://example.com/run',
  },
];

const raw = (text: string) => ({ type: 'raw_text', text });
const richText = {
  type: 'rich_text',
  elements: [
    { type: 'rich_text_section', elements: [{ type: 'text', text: 'done', style: { bold: true } }] },
  ],
};
const button = { type: 'button', text: plain('Book'), action_id: 'book', url: 'https://example.com' };
const card = {
  type: 'card',
  hero_image: image,
  title: mrkdwn('The *mill*'),
  subtitle: plain('A place to stay'),
  body: mrkdwn('Two rooms, one view.'),
  subtext: plain('from 90 a night'),
  slack_icon: { type: 'icon', name: 'bot' },
  actions: [button],
};
const points = (...values: number[]) => values.map((value, index) => ({ label: `Q${index + 1}`, value }));
const axes = { categories: ['Q1', 'Q2'], x_label: 'Quarter', y_label: 'Orders' };
const chart = (block_id: string, drawing: object) => ({
  type: 'data_visualization',
  block_id,
  title: 'Orders',
  chart: drawing,
});
const task = {
  task_id: 'call_1',
  title: 'Fetch the weather',
  status: 'in_progress',
  details: richText,
  output: { ...richText, block_id: 'output' },
  sources: [{ type: 'url', url: 'https://example.com/source', text: 'the source' }],
};

/** Choices that stand in actions, beside a section and in an input. */
const choices = [
  {
    type: 'checkboxes',
    action_id: 'c1',
    options: [{ text: mrkdwn('*one*'), description: mrkdwn('_first_'), value: '1' }, option('2')],
    initial_options: [option('2')],
    focus_on_load: false,
    confirm,
  },
  { type: 'radio_buttons', action_id: 'c2', options: [option('1')], initial_option: option('1') },
  { type: 'datepicker', action_id: 'c3', initial_date: '2026-11-21', placeholder: plain('A day'), confirm },
  { type: 'timepicker', action_id: 'c4', initial_time: '23:59', timezone: 'Europe/Berlin' },
];
const moment = { type: 'datetimepicker', action_id: 'c5', initial_date_time: 1_795_000_000, confirm };
const richTextInput = {
  type: 'rich_text_input',
  action_id: 'c6',
  initial_value: richText,
  min_lines: 2,
  max_lines: 10,
  dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
};
const workflowButton = {
  type: 'workflow_button',
  action_id: 'c7',
  text: plain('Start'),
  style: 'primary',
  accessibility_label: 'start it',
  workflow: {
    trigger: {
      url: 'https://example.com/shortcuts/1',
      customizable_input_parameters: [{ name: 'a', value: 'b' }],
    },
  },
};

const asked = (element: object, index: number) => ({
  type: 'input',
  block_id: `input-${index}`,
  label: plain('Your answer'),
  hint: plain('One sentence is enough'),
  optional: true,
  dispatch_action: false,
  element,
});

const toTypeInto = [
  {
    type: 'plain_text_input',
    action_id: 't1',
    initial_value: '',
    placeholder: plain('Because …'),
    multiline: true,
    min_length: 0,
    max_length: 3000,
  },
  { type: 'email_text_input', action_id: 't2', initial_value: 'ada@example.com' },
  { type: 'url_text_input', action_id: 't3', initial_value: 'https://example.com', focus_on_load: true },
  {
    type: 'number_input',
    action_id: 't4',
    is_decimal_allowed: true,
    initial_value: '2.5',
    min_value: '-1',
    max_value: '10',
  },
  { type: 'file_input', action_id: 't5', filetypes: ['pdf'], max_files: 3 },
  { type: 'conversations_select', action_id: 't6', response_url_enabled: true },
];

const container = (children: readonly unknown[]) => ({
  type: 'container',
  block_id: 'box',
  title: plain('Incident 17'),
  rich_text_title: richText,
  subtitle: mrkdwn('back to *normal*'),
  icon: image,
  width: 'wide',
  is_collapsible: true,
  default_collapsed: true,
  child_blocks: children,
});

const video = {
  type: 'video',
  block_id: 'film',
  title: plain('How it works'),
  title_url: 'https://example.com/film',
  alt_text: 'an introduction',
  video_url: 'https://example.com/embed',
  thumbnail_url: 'https://example.com/a.png',
  author_name: 'Ada',
  provider_name: 'Example',
  provider_icon_url: 'https://example.com/i.png',
  description: plain('Two minutes.'),
};

/** Views as people paste them: every block type and element that a message does not hold. */
export const nativeView: readonly unknown[] = [
  { type: 'alert', block_id: 'note', text: mrkdwn('Be *careful*'), level: 'warning' },
  ...[...choices, moment, richTextInput, ...toTypeInto].map(asked),
  asked({ ...richTextInput, initial_value: { type: 'text', text: 'as plain text' } }, 99),
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
