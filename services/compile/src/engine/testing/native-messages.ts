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
    response_url_enabled: true,
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
];

/** Messages as people paste them from the platform's own builder: every block type, element and option of the catalogue. */
export const nativeMessages: Readonly<Record<string, readonly unknown[]>> = {
  'texts and images': [
    { type: 'header', text: plain('Deploy finished'), block_id: 'head' },
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
};
