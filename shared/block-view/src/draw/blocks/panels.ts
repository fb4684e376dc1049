import type { ViewContext } from '../../context.ts';
import type { AnyBlock, Blocks, Container } from '../../types/blocks.ts';
import { type Child, el } from '../dom.ts';
import { drawText } from '../text.ts';
import { drawPicture } from './media.ts';
import { drawRichText } from './rich-text.ts';
import { drawTextIn } from './texts.ts';

const LEVEL_ICONS = { default: '💬', info: 'ℹ️', warning: '⚠️', error: '⛔', success: '✅' };

export function drawAlert({ text, level = 'default' }: Blocks['alert'], context: ViewContext): HTMLElement {
  return el(
    'div',
    { class: `alert alert-${level}`, role: 'note' },
    el('span', { 'aria-hidden': 'true' }, LEVEL_ICONS[level]),
    drawTextIn('text', text, context),
  );
}

function containerHeading(
  { title, rich_text_title, subtitle, icon }: Container,
  context: ViewContext,
): Child {
  const words =
    rich_text_title === undefined ? drawText(title, context) : drawRichText(rich_text_title, context);
  return [
    icon === undefined ? undefined : drawPicture(icon, 'card-icon'),
    el('div', {}, el('div', { class: 'card-title' }, words), drawTextIn('faint', subtitle, context)),
  ];
}

/** Makes the drawing of containers; `drawChildren` is passed in, since containers hold blocks and are blocks themselves. */
export function containerDrawing(drawChildren: (blocks: readonly AnyBlock[], context: ViewContext) => Child) {
  return (block: Container, context: ViewContext): HTMLElement => {
    const children = drawChildren(block.child_blocks, context);
    const heading = containerHeading(block, context);
    if (block.is_collapsible === true) {
      return el(
        'details',
        { class: 'container', open: block.default_collapsed !== true },
        el('summary', { class: 'card-heading' }, heading),
        children,
      );
    }
    const divided = block.has_header_divider === true ? 'card-heading divided' : 'card-heading';
    return el('div', { class: 'container' }, el('div', { class: divided }, heading), children);
  };
}
