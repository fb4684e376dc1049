import { withIds } from '../grammar/block-id.ts';
import { list } from '../grammar/list.ts';
import { type Kinds, typed } from '../grammar/typed.ts';
import type { Grammar } from '../parse/grammar.ts';
import { actions } from './actions.ts';
import { alert } from './alert.ts';
import { asBlock, type BlockKind, byType } from './block-kind.ts';
import { card } from './card.ts';
import { carousel } from './carousel.ts';
import { chart, dataVisualization } from './chart/chart.ts';
import { container } from './container.ts';
import { blockNote, context } from './context.ts';
import { contextActions } from './context-actions.ts';
import { divider } from './divider.ts';
import { header } from './header.ts';
import { image } from './image.ts';
import { input } from './input.ts';
import { markdown } from './markdown.ts';
import { plan } from './plan.ts';
import { richTextBlock } from './rich-text.ts';
import { section } from './section.ts';
import type { Summary } from './summary.ts';
import { dataTable, table } from './table/table.ts';
import { taskCard } from './task-card.ts';
import { video } from './video.ts';

/** Every block type: its keys, their limits, where it may stand, its form with a `source`, and its summary. */
export const blockTypes: readonly BlockKind[] = [
  header,
  section,
  divider,
  image,
  context,
  richTextBlock,
  markdown,
  alert,
  actions,
  input,
  contextActions,
  table,
  dataTable,
  dataVisualization,
  chart,
  card,
  carousel,
  video,
  plan,
  taskCard,
  container,
];

const summaries = new Map<unknown, Summary>(blockTypes.map(({ type, summary }) => [type, summary]));

/** The fallback text of a compiled block. */
export const summaryOf: Summary = (block) => summaries.get(block.type)?.(block) ?? '';

const quietSummaries = new Map<unknown, Summary>(
  blockTypes.flatMap(({ type, quiet }) => (quiet === undefined ? [] : [[type, quiet]])),
);

/** What the buttons and menus of a compiled block say. */
export const quietSummaryOf: Summary = (block) => quietSummaries.get(block.type)?.(block) ?? '';

/** Every block type with the keys of its id. */
export const blockKinds: Kinds = withIds(byType(blockTypes));

/** A block of a template. */
const block: Grammar = typed(() => blockKinds, {
  ...asBlock,
  refused: { file: 'The platform lets no app post a `file` block; link the file in a section instead.' },
});

/** The blocks of a message. */
export const messageBlocks: Grammar = list('message.blocks', { item: block, note: blockNote });
/** The blocks of a modal view. */
export const viewBlocks: Grammar = list('view.blocks', { item: block, note: blockNote });
