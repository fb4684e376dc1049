import type { ViewContext } from '../context.ts';
import type { AnyBlock, Block, Blocks, BlockType } from '../types/blocks.ts';
import { drawCard, drawCarousel } from './blocks/cards.ts';
import { drawChart } from './blocks/chart.ts';
import { drawActions, drawContextActions, drawInput } from './blocks/interactive.ts';
import { drawImage, drawVideo } from './blocks/media.ts';
import { containerDrawing, drawAlert } from './blocks/panels.ts';
import { drawRichText } from './blocks/rich-text.ts';
import { drawTable } from './blocks/tables.ts';
import { drawPlan, drawTask } from './blocks/tasks.ts';
import { drawContext, drawHeader, drawMarkdown, drawSection } from './blocks/texts.ts';
import { el } from './dom.ts';
import { listen } from './interaction/listen.ts';

/** How each type of block is drawn. A new type is one line here. */
const drawings: { [T in keyof Blocks]: (block: Block<T>, context: ViewContext) => HTMLElement } = {
  actions: drawActions,
  alert: drawAlert,
  card: drawCard,
  carousel: drawCarousel,
  container: containerDrawing(drawEach),
  context: drawContext,
  context_actions: drawContextActions,
  data_table: drawTable,
  data_visualization: drawChart,
  divider: () => el('hr', { class: 'divider' }),
  header: drawHeader,
  image: drawImage,
  input: drawInput,
  markdown: drawMarkdown,
  plan: drawPlan,
  rich_text: drawRichText,
  section: drawSection,
  table: drawTable,
  task_card: drawTask,
  video: drawVideo,
};

/** The types of blocks that can be drawn. */
export const drawnBlockTypes: readonly string[] = Object.keys(drawings);

/** Whether a block is of a type that can be drawn. The platform's limits are not checked here. */
const isDrawn = (block: AnyBlock): block is Block => Object.hasOwn(drawings, block.type);

function drawKnown<T extends BlockType>(block: Block<T>, context: ViewContext): HTMLElement {
  return drawings[block.type](block, context);
}

/** Every text inside a block of an unknown type. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === 'text' && typeof field === 'string' ? [field] : textsIn(field),
  );
}

/** A block that is not drawn: what is wrong with it, and its texts. */
function drawPlainly(block: AnyBlock, reason: string): HTMLElement {
  const texts = textsIn(block).map((text) => el('p', {}, text));
  return el('div', { class: 'unknown-block' }, el('strong', {}, reason), texts);
}

function drawBlock(block: AnyBlock, context: ViewContext): HTMLElement {
  if (!isDrawn(block)) return drawPlainly(block, `Block type ${block.type}`);
  try {
    return drawKnown(block, context);
  } catch (error) {
    // A block that breaks the platform's limits must not take its neighbours along.
    return drawPlainly(block, `Malformed block of type ${block.type}: ${error}`);
  }
}

/** Draws each block in a box of its own. */
export function drawEach(blocks: readonly AnyBlock[], context: ViewContext): HTMLElement[] {
  return blocks.map((block, index) => {
    // The platform names blocks that have no id of their own.
    const id = block.block_id ?? `b${index}`;
    return el(
      'div',
      { class: 'block', 'data-block': block.type, 'data-block-id': id },
      drawBlock(block, context),
    );
  });
}

/**
 * Draws blocks in their order, and reports the use of their elements.
 *
 * A block of an unknown type is shown as unknown, with the texts inside it; so is one that is malformed.
 */
export function drawBlocks(blocks: readonly AnyBlock[], context: ViewContext = {}): HTMLElement {
  return listen(el('div', { class: 'block-view' }, drawEach(blocks, context)), context);
}
