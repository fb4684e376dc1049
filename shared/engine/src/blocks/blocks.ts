import { withIds } from '../grammar/block-id.ts';
import { counted } from '../grammar/counted.ts';
import type { Grammar } from '../grammar/grammar.ts';
import { list } from '../grammar/list.ts';
import { type Field, optional, required, type Shape } from '../grammar/object.ts';
import { atLeastOneOf, needsFlag } from '../grammar/rules.ts';
import { choice, flag } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { type Kind, type Kinds, pick, typed } from '../grammar/typed.ts';
import { cardShape, planShape, taskShape, videoShape } from './card.ts';
import { boundCarousel } from './carousel.ts';
import { boundChart } from './chart/bound-chart.ts';
import { dataVisualizationShape } from './chart/native-chart.ts';
import { anyText, imageShape, plainText, textItem, textNote } from './composition.ts';
import {
  accessory,
  elementOfActions,
  elementOfContext,
  elementOfContextActions,
  elementOfInput,
  imageElement,
} from './elements/elements.ts';
import { richText, richTextShape } from './rich-text.ts';
import * as say from './summary.ts';
import { boundTable } from './table/bound-table.ts';
import { dataTableShape, evenTable, tableShape } from './table/native-table.ts';

/** A block type of the catalogue. */
export interface BlockKind extends Kind {
  /** What the fallback text says of a compiled block. */
  readonly summary: say.Summary;
}

type BlockKinds = Readonly<Record<string, BlockKind>>;

const ofMessages = ['message'] as const;
const ofViews = ['view'] as const;

const texts: BlockKinds = {
  header: {
    shape: { fields: { text: required(plainText('header.text')) } },
    summary: say.summarizeTextBlock,
  },
  section: {
    shape: {
      fields: {
        text: optional(anyText('section.text')),
        fields: optional(list('section.fields', { item: textItem('section.field'), note: textNote })),
        accessory: optional(accessory),
        expand: optional(flag),
      },
      rules: [atLeastOneOf('text', 'fields')],
    },
    summary: say.summarizeSection,
  },
  divider: { shape: { fields: {} }, summary: say.summarizeNothing },
  image: {
    shape: { ...imageShape, fields: { ...imageShape.fields, title: optional(plainText('image.title')) } },
    summary: say.summarizeImage,
  },
  context: {
    shape: {
      fields: { elements: required(list('context.elements', { item: elementOfContext, note: textNote })) },
    },
    summary: say.summarizeContext,
  },
  rich_text: { shape: richTextShape, summary: say.summarizeRichText },
  markdown: {
    surfaces: ofMessages,
    shape: { fields: { text: required(text('markdown.text', 'markdown', { total: 'markdown.total' })) } },
    summary: say.summarizeMarkdown,
  },
  alert: {
    surfaces: ofViews,
    shape: {
      fields: {
        text: required(anyText('alert.text')),
        level: optional(choice('default', 'info', 'warning', 'error', 'success')),
      },
    },
    summary: say.summarizeTextBlock,
  },
};

const acts: BlockKinds = {
  actions: {
    shape: { fields: { elements: required(list('actions.elements', { item: elementOfActions })) } },
    summary: say.summarizeNothing,
  },
  input: {
    shape: {
      fields: {
        label: required(plainText('input.label')),
        element: required(elementOfInput),
        hint: optional(plainText('input.hint')),
        optional: optional(flag),
        dispatch_action: optional(flag),
      },
    },
    summary: say.summarizeInput,
  },
  context_actions: {
    surfaces: ofMessages,
    shape: {
      fields: { elements: required(list('context_actions.elements', { item: elementOfContextActions })) },
    },
    summary: say.summarizeNothing,
  },
};

const table = boundTable(
  { type: 'table', shape: tableShape, rows: 'table.rows', cells: 'table.cells', numbers: false },
  { surfaces: ofMessages, shape: tableShape },
);
const dataTable = boundTable(
  {
    type: 'data_table',
    shape: dataTableShape,
    rows: 'data_table.rows',
    cells: 'data_table.cells',
    numbers: true,
  },
  { surfaces: ofMessages, shape: dataTableShape },
);

const tables: BlockKinds = {
  table: { ...counted('message.tables', evenTable('table.text_total', table)), summary: say.summarizeTable },
  data_table: { ...evenTable('data_table.text_total', dataTable), summary: say.summarizeTable },
  data_visualization: {
    ...counted('message.charts', { surfaces: ofMessages, shape: dataVisualizationShape }),
    summary: say.summarizeTitle,
  },
  chart: { ...counted('message.charts', boundChart), summary: say.summarizeTitle },
};

const named = { what: 'block', table: 'blocks' } as const;

const card: Kind = { surfaces: ofMessages, shape: cardShape };
const cards = withIds({ card });
const cardOfCarousel = typed(() => cards, named);
const carousel = boundCarousel(cardOfCarousel, {
  surfaces: ofMessages,
  shape: { fields: { elements: required(list('carousel.elements', { item: cardOfCarousel })) } },
});

const pieces: BlockKinds = {
  card: { ...card, summary: say.summarizeCard },
  carousel: { ...carousel, summary: say.summarizeCards },
  video: { shape: videoShape, summary: say.summarizeVideo },
  plan: { surfaces: ofMessages, shape: planShape, summary: say.summarizePlan },
  task_card: { surfaces: ofMessages, shape: taskShape, summary: say.summarizeTask },
};

/** Children as documented; the live platform is reported to refuse some of them. */
const insideContainers = withIds({
  ...pick(texts, 'header', 'section', 'divider', 'image', 'context', 'rich_text'),
  ...pick(acts, 'actions', 'input'),
  ...pick(tables, 'table'),
  ...pick(pieces, 'video'),
});

const title: Record<string, Field> = {
  title: optional(plainText('container.title')),
  rich_text_title: optional(richText),
};

const containerShape: Shape = {
  fields: {
    ...title,
    subtitle: optional(anyText('container.subtitle')),
    child_blocks: required(
      list('container.child_blocks', { item: typed(() => insideContainers, named), note: blockNote }),
    ),
    width: optional(choice('narrow', 'standard', 'wide', 'full')),
    icon: optional(imageElement),
    is_collapsible: optional(flag),
    default_collapsed: optional(flag),
    has_header_divider: optional(flag),
  },
  rules: [
    atLeastOneOf('title', 'rich_text_title'),
    needsFlag('default_collapsed', 'is_collapsible'),
    needsFlag('has_header_divider', 'is_collapsible', false),
  ],
};

const containers: BlockKinds = {
  container: { shape: containerShape, summary: (block) => say.summarizeContainer(block, summaryOf) },
};

/** Every block type: its keys, their limits, where it may stand, and what the fallback text says of it. */
export const blockTypes: BlockKinds = { ...texts, ...acts, ...tables, ...pieces, ...containers };

const summaries = new Map<unknown, say.Summary>(
  Object.entries(blockTypes).map(([type, { summary }]) => [type, summary]),
);

/** What the fallback text says of a compiled block. */
export const summaryOf: say.Summary = (block) => summaries.get(block.type)?.(block) ?? '';

/** Every block type with the keys of its id. */
export const blockKinds: Kinds = withIds(blockTypes);

/** A block of a template. */
export const block: Grammar = typed(() => blockKinds, {
  ...named,
  refused: { file: 'The platform lets no app post a `file` block; link the file in a section instead.' },
});

/** Around the text that there are more items than are shown. */
function blockNote(given: unknown): unknown {
  return { type: 'context', elements: [textNote(given)] };
}

/** The blocks of a message. */
export const messageBlocks: Grammar = list('message.blocks', { item: block, note: blockNote });
/** The blocks of a modal view. */
export const viewBlocks: Grammar = list('view.blocks', { item: block, note: blockNote });
