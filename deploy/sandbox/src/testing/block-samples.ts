const plain = (text: string) => ({ type: 'plain_text', text });
const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const option = (label: string) => ({ text: plain(label), value: label.toLowerCase() });
const inline = (text: string, style?: object) => ({
  type: 'text',
  text,
  ...(style === undefined ? {} : { style }),
});
const sectionOf = (...elements: object[]) => ({ type: 'rich_text_section', elements });
const raw = (text: string) => ({ type: 'raw_text', text });

/** An address without an image: the page must work without a network. */
export const SAMPLE_IMAGE_URL = 'https://images.example/never-loads.png';

const richText = {
  type: 'rich_text',
  elements: [
    sectionOf(
      inline('Plain, '),
      inline('bold', { bold: true }),
      inline(', '),
      inline('slanted', { italic: true }),
      inline(' and '),
      inline('gone', { strike: true }),
      inline('. Ask '),
      { type: 'user', user_id: 'U0ADA' },
      inline(' in '),
      { type: 'channel', channel_id: 'C0DEPLOYS' },
      inline(' '),
      { type: 'emoji', name: 'rocket' },
      inline(' or read '),
      { type: 'link', url: 'https://docs.example/guide', text: 'the guide' },
      inline('.'),
    ),
    {
      type: 'rich_text_list',
      style: 'ordered',
      elements: [sectionOf(inline('Build it')), sectionOf(inline('Ship it'))],
    },
    { type: 'rich_text_list', style: 'bullet', indent: 1, elements: [sectionOf(inline('with care'))] },
    { type: 'rich_text_quote', elements: [inline('Simplicity is a great virtue.')] },
    { type: 'rich_text_preformatted', elements: [inline('npm start\nready in 2 s')] },
  ],
};

const card = (title: string) => ({
  type: 'card',
  hero_image: { type: 'image', image_url: SAMPLE_IMAGE_URL, alt_text: `Picture of ${title}` },
  title: mrkdwn(title),
  subtitle: mrkdwn('A place to stay'),
  body: mrkdwn('Two rooms, one *view*.'),
  actions: [{ type: 'button', action_id: 'book', text: plain('Book') }],
});

const task = (id: string, title: string, status: string) => ({
  type: 'task_card',
  task_id: id,
  title,
  status,
  output: { type: 'rich_text', elements: [sectionOf(inline(`Result of ${title}`))] },
  sources: [{ type: 'url', url: 'https://docs.example/source', text: 'the source' }],
});

const series = (name: string, ...values: number[]) => ({
  name,
  data: values.map((value, index) => ({ label: `Q${index + 1}`, value })),
});

/** One valid block of each type for messages, by type. */
export const blockSamples = {
  header: { type: 'header', text: plain('Release 4.2 is out :tada:') },
  section: {
    type: 'section',
    text: mrkdwn('*Deploy finished* in _42 s_ by <@U0GRACE>, see <https://ci.example/run/7|run 7> & `main`.'),
    fields: [mrkdwn('*Environment*\nproduction'), mrkdwn('*Version*\n4.2.0')],
    accessory: { type: 'button', action_id: 'open', text: plain('Open'), url: 'https://ci.example/run/7' },
  },
  divider: { type: 'divider' },
  image: {
    type: 'image',
    title: plain('Latency this week'),
    image_url: SAMPLE_IMAGE_URL,
    alt_text: 'A falling line of latency',
  },
  context: {
    type: 'context',
    elements: [
      { type: 'image', image_url: SAMPLE_IMAGE_URL, alt_text: 'Avatar' },
      mrkdwn('Posted by *Stanza* :sparkles:'),
    ],
  },
  actions: {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'approve', style: 'primary', text: plain('Approve') },
      { type: 'button', action_id: 'reject', style: 'danger', text: plain('Reject') },
      { type: 'button', action_id: 'later', text: plain('Later') },
      {
        type: 'static_select',
        action_id: 'assign',
        placeholder: plain('Assign to…'),
        options: [option('Ada'), option('Grace')],
      },
      { type: 'datepicker', action_id: 'due', initial_date: '2026-09-24' },
      { type: 'overflow', action_id: 'more', options: [option('Mute'), option('Archive')] },
    ],
  },
  rich_text: richText,
  markdown: {
    type: 'markdown',
    text: '# Notes\n\nA **bold** and an *italic* word, `code` and [a link](https://docs.example).\n\n- first\n- second\n\n> quoted\n\n```\nlet x = 1;\n```',
  },
  input: {
    type: 'input',
    label: plain('Your reason'),
    hint: plain('One sentence is enough'),
    element: { type: 'plain_text_input', action_id: 'reason', placeholder: plain('Because…') },
  },
  table: {
    type: 'table',
    column_settings: [{ align: 'left' }, { align: 'right' }],
    rows: [
      [raw('Item'), raw('Price')],
      [raw('Espresso'), { type: 'raw_number', value: 3.5, text: '€3.50' }],
    ],
  },
  data_table: {
    type: 'data_table',
    caption: 'Team scores',
    rows: [
      [raw('Name'), raw('Score')],
      [raw('Ada'), { type: 'raw_number', value: 42, text: '42' }],
      [raw('Grace'), { type: 'raw_number', value: 40, text: '40' }],
    ],
  },
  data_visualization: {
    type: 'data_visualization',
    title: 'Orders by quarter',
    chart: {
      type: 'bar',
      series: [series('Online', 12, 18, 25), series('Shop', 20, 16, 9)],
      axis_config: { categories: ['Q1', 'Q2', 'Q3'], x_label: 'Quarter', y_label: 'Orders' },
    },
  },
  card: card('The lighthouse'),
  carousel: { type: 'carousel', elements: [card('The mill'), card('The barn')] },
  container: {
    type: 'container',
    title: plain('Incident 17'),
    subtitle: mrkdwn('Everything is *back to normal*'),
    child_blocks: [{ type: 'section', text: mrkdwn('The cause was a full disk.') }],
  },
  context_actions: {
    type: 'context_actions',
    elements: [
      {
        type: 'feedback_buttons',
        action_id: 'feedback',
        positive_button: { text: plain('Good'), value: 'good' },
        negative_button: { text: plain('Bad'), value: 'bad' },
      },
      { type: 'icon_button', action_id: 'delete', icon: 'trash', text: plain('Delete') },
    ],
  },
  video: {
    type: 'video',
    title: plain('How it works'),
    alt_text: 'A short introduction',
    video_url: 'https://videos.example/embed/1',
    thumbnail_url: SAMPLE_IMAGE_URL,
    author_name: 'Ada',
    description: plain('Two minutes, no jargon.'),
  },
  plan: {
    type: 'plan',
    title: 'Release plan',
    tasks: [task('test', 'Run the tests', 'complete'), task('ship', 'Ship it', 'in_progress')],
  },
  task_card: task('weather', 'Fetch the weather', 'pending'),
} as const;
