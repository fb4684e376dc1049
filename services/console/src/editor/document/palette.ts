import { newId } from '../../api/new-id.ts';
import { isObject, type JsonObject } from '../../json.ts';
import { blankOf, readShape, type ShapeDescription, type Tables } from './schema.ts';
import { wordsOf } from './words.ts';

/** Something that can be added to a template. */
export interface PaletteEntry {
  readonly name: string;
  readonly about: string;
  readonly make: () => JsonObject;
  /** The part of it that is written first, where that is not the block itself. */
  readonly first?: string | undefined;
}

const plain = (text: string): JsonObject => ({ type: 'plain_text', text });

/** Blocks that begin with more than what they need at least. */
const beginnings: Readonly<Record<string, JsonObject>> = {
  section: { text: { type: 'mrkdwn', text: '' } },
  context: { elements: [{ type: 'mrkdwn', text: '' }] },
  image: { image_url: '', alt_text: '' },
  actions: { elements: [{ type: 'button', text: plain('Open') }] },
  rich_text: { elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: '' }] }] },
  table: { source: 'rows', columns: [{ header: 'Name', value: '{{name}}' }] },
  data_table: { caption: '', source: 'rows', columns: [{ header: 'Name', value: '{{name}}' }] },
  chart: { title: '', chart: 'bar', source: 'points', label: '{{label}}', value: '{{value}}' },
  input: { label: plain('What should we know?'), element: { type: 'plain_text_input' } },
  card: { title: { type: 'mrkdwn', text: '' } },
  carousel: { elements: [{ type: 'card', title: { type: 'mrkdwn', text: 'Title' } }] },
  container: { title: plain(''), child_blocks: [{ type: 'section', text: { type: 'mrkdwn', text: '' } }] },
};

const abouts: Readonly<Record<string, string>> = {
  header: 'A title in large letters',
  section: 'Text, with fields or a button beside it',
  divider: 'A line between two parts',
  image: 'A picture from the web',
  context: 'Small print: texts and little pictures',
  rich_text: 'Lists, quotes and code',
  markdown: 'Text in Markdown',
  alert: 'A notice that stands out',
  actions: 'Buttons and menus',
  input: 'A field that people fill in',
  context_actions: 'Buttons for feedback, and small icons',
  table: 'Rows and columns of a list',
  data_table: 'A table that can be sorted and paged',
  chart: 'A chart of a list',
  data_visualization: 'A chart with its figures written out',
  card: 'A card with a picture and buttons',
  carousel: 'Cards beside each other',
  video: 'A video',
  plan: 'Tasks and how far they are',
  task_card: 'One task',
  container: 'Blocks in a frame',
};

/** Loops, conditions and groups, which hold other blocks. */
export const wrappers: readonly PaletteEntry[] = [
  {
    name: 'Repeat for each…',
    about: 'Blocks for every item of a list',
    // An empty loop shows nothing; with a line for each item it shows what it is for.
    make: () => ({
      type: 'directive',
      directive: '#each',
      path: '',
      children: [{ type: 'section', id: `blk_${newId()}`, text: { type: 'mrkdwn', text: '• {{this}}' } }],
    }),
  },
  {
    name: 'If…',
    about: 'Blocks that show on a condition',
    make: () => ({
      type: 'directive',
      directive: '#if',
      condition: { path: '', operator: 'truthy' },
      children: [],
    }),
  },
  {
    name: 'Group',
    about: 'Blocks that belong together',
    make: () => ({ type: 'directive', directive: '#block', name: '', children: [] }),
  },
];

const beginningOf = (type: string, shape: ShapeDescription, schema: Tables): JsonObject =>
  beginnings[type] ?? blankOf(shape, schema);

/** Types that most messages are made of. */
const usual = ['header', 'section', 'divider', 'image', 'context', 'actions', 'input'];

/** Everything that can stand in a message, or in the view of a modal: what most are made of first. */
export const paletteOf = (schema: Tables, surface: 'message' | 'view' = 'message'): PaletteEntry[] => {
  const blocks = Object.entries(schema.block_types).flatMap(([type, description]): PaletteEntry[] => {
    if (!isObject(description)) return [];
    const { surfaces } = description;
    if (Array.isArray(surfaces) && !surfaces.includes(surface)) return [];
    const shape = readShape(description);
    return [
      {
        name: wordsOf(type),
        about: abouts[type] ?? '',
        first: type === 'actions' || type === 'context' ? '/elements/0' : undefined,
        make: () => ({ type, id: `blk_${newId()}`, ...beginningOf(type, shape, schema) }),
      },
    ];
  });
  const names = new Set(usual.map(wordsOf));
  const others = blocks.filter(({ name }) => !names.has(name));
  return [...blocks.filter(({ name }) => names.has(name)), ...wrappers, ...others];
};

/** The entries that a search finds: by name first, then by what they are. */
export const foundIn = (entries: readonly PaletteEntry[], search: string): PaletteEntry[] => {
  const word = search.trim().toLowerCase();
  const byName = entries.filter(({ name }) => name.toLowerCase().includes(word));
  const byAbout = entries.filter(
    (entry) => !byName.includes(entry) && entry.about.toLowerCase().includes(word),
  );
  return [
    ...byName.filter(({ name }) => name.toLowerCase().startsWith(word)),
    ...byName.filter(({ name }) => !name.toLowerCase().startsWith(word)),
    ...byAbout.filter(({ about }) => about.toLowerCase().startsWith(word)),
    ...byAbout.filter(({ about }) => !about.toLowerCase().startsWith(word)),
  ];
};
