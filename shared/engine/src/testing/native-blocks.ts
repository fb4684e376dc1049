/** The elements and blocks that the native messages and views are made of. */
export const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
export const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (value: string) => ({
  text: plain(`Option ${value}`),
  value,
  description: plain('what it is'),
});
export const confirm = {
  title: plain('Are you sure?'),
  text: mrkdwn('This cannot be *undone*.'),
  confirm: plain('Do it'),
  deny: plain('Stop'),
  style: 'danger',
};
export const image = { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'a picture' };

export const elements = [
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

export const inline = [
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

export const raw = (text: string) => ({ type: 'raw_text', text });
export const richText = {
  type: 'rich_text',
  elements: [
    { type: 'rich_text_section', elements: [{ type: 'text', text: 'done', style: { bold: true } }] },
  ],
};
export const button = { type: 'button', text: plain('Book'), action_id: 'book', url: 'https://example.com' };
export const card = {
  type: 'card',
  hero_image: image,
  title: mrkdwn('The *mill*'),
  subtitle: plain('A place to stay'),
  body: mrkdwn('Two rooms, one view.'),
  subtext: plain('from 90 a night'),
  slack_icon: { type: 'icon', name: 'bot' },
  actions: [button],
};
export const points = (...values: number[]) =>
  values.map((value, index) => ({ label: `Q${index + 1}`, value }));
export const axes = { categories: ['Q1', 'Q2'], x_label: 'Quarter', y_label: 'Orders' };
export const chart = (block_id: string, drawing: object) => ({
  type: 'data_visualization',
  block_id,
  title: 'Orders',
  chart: drawing,
});
export const task = {
  task_id: 'call_1',
  title: 'Fetch the weather',
  status: 'in_progress',
  details: richText,
  output: { ...richText, block_id: 'output' },
  sources: [{ type: 'url', url: 'https://example.com/source', text: 'the source' }],
};

/** Choices that stand in actions, next to a section and in an input. */
export const choices = [
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
export const moment = { type: 'datetimepicker', action_id: 'c5', initial_date_time: 1_795_000_000, confirm };
export const richTextInput = {
  type: 'rich_text_input',
  action_id: 'c6',
  initial_value: richText,
  min_lines: 2,
  max_lines: 10,
  dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
};
export const workflowButton = {
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

export const asked = (element: object, index: number) => ({
  type: 'input',
  block_id: `input-${index}`,
  label: plain('Your answer'),
  hint: plain('One sentence is enough'),
  optional: true,
  dispatch_action: false,
  element,
});

export const toTypeInto = [
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

export const container = (children: readonly unknown[]) => ({
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

export const video = {
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
