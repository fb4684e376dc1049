import { el } from '../dom.js';
import { renderText } from '../text/inline.js';
import { pictureOf } from './media.js';
import { renderRichText } from './rich-text.js';

const LEVEL_ICONS = { default: '💬', info: 'ℹ️', warning: '⚠️', error: '⛔', success: '✅' };

export function renderAlert({ text, level = 'default' }) {
  return el(
    'div',
    { class: `alert alert-${level}`, role: 'note' },
    el('span', { 'aria-hidden': 'true' }, LEVEL_ICONS[level]),
    el('div', { class: 'text' }, renderText(text)),
  );
}

function containerHeading({ title, rich_text_title, subtitle, icon }) {
  return [
    icon === undefined ? undefined : pictureOf(icon, 'card-icon'),
    el(
      'div',
      {},
      el(
        'div',
        { class: 'card-title' },
        rich_text_title === undefined ? renderText(title) : renderRichText(rich_text_title),
      ),
      subtitle === undefined ? undefined : el('div', { class: 'faint' }, renderText(subtitle)),
    ),
  ];
}

/** @param renderBlocks draws the children; passed in, since containers are blocks themselves */
export function renderContainer(block, renderBlocks) {
  const children = renderBlocks(block.child_blocks);
  const heading = containerHeading(block);
  if (block.is_collapsible === true) {
    const open = block.default_collapsed !== true;
    return el(
      'details',
      { class: 'container', open },
      el('summary', { class: 'card-heading' }, heading),
      children,
    );
  }
  const divided = block.has_header_divider === true ? 'card-heading divided' : 'card-heading';
  return el('div', { class: 'container' }, el('div', { class: divided }, heading), children);
}
