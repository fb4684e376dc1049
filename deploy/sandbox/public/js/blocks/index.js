import { el } from '../dom.js';
import { renderCard, renderCarousel } from './cards.js';
import { renderChart } from './chart.js';
import { renderActions, renderContextActions, renderInput } from './interactive.js';
import { renderImage, renderVideo } from './media.js';
import { renderAlert, renderContainer } from './panels.js';
import { renderRichText } from './rich-text.js';
import { renderTable } from './tables.js';
import { renderPlan, renderTask } from './tasks.js';
import { renderContext, renderHeader, renderMarkdown, renderSection } from './texts.js';

/** How each type of block is drawn. A new type is one line here. */
const renderers = {
  actions: renderActions,
  alert: renderAlert,
  card: renderCard,
  carousel: renderCarousel,
  container: renderContainer,
  context: renderContext,
  context_actions: renderContextActions,
  data_table: renderTable,
  data_visualization: renderChart,
  divider: () => el('hr', { class: 'divider' }),
  header: renderHeader,
  image: renderImage,
  input: renderInput,
  markdown: renderMarkdown,
  plan: renderPlan,
  rich_text: renderRichText,
  section: renderSection,
  table: renderTable,
  task_card: renderTask,
  video: renderVideo,
};

/** Every text inside a block, for one that nobody taught the page to draw. */
function textsIn(value) {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) =>
    name === 'text' && typeof field === 'string' ? [field] : textsIn(field),
  );
}

function renderUnknown(block) {
  return el(
    'div',
    { class: 'unknown-block' },
    el('strong', {}, `Block type ${block.type}`),
    textsIn(block).map((text) => el('p', {}, text)),
  );
}

/** Draws blocks in their order; containers call it for their children. */
export function renderBlocks(blocks) {
  return blocks.map((block, index) => {
    const render = renderers[block.type] ?? renderUnknown;
    // The platform names blocks that have no id of their own.
    const id = block.block_id ?? `b${index}`;
    return el(
      'div',
      { class: 'block', 'data-block': block.type, 'data-block-id': id },
      render(block, renderBlocks),
    );
  });
}
