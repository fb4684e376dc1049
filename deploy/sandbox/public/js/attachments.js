import { renderBlocks } from './blocks/index.js';
import { el, link } from './dom.js';
import { renderText } from './text/inline.js';

const NAMED_COLORS = { good: '#2eb67d', warning: '#ecb22e', danger: '#e01e5a' };

function mrkdwn(text) {
  return typeof text === 'string' ? renderText({ type: 'mrkdwn', text }) : [];
}

function fieldOf({ title = '', value = '' }) {
  return el('div', { class: 'text' }, el('strong', {}, String(title)), '\n', mrkdwn(String(value)));
}

/** Draws an attachment: its blocks, or the older form of title, text and fields, beside a coloured bar. */
export function renderAttachment(attachment) {
  const { color, pretext, title, title_link, text, fields = [], footer, blocks, fallback } = attachment;
  const heading =
    title === undefined
      ? undefined
      : title_link === undefined
        ? el('span', {}, title)
        : link(title_link, {}, title);
  const classic = [
    heading === undefined ? undefined : el('div', { class: 'card-title' }, heading),
    text === undefined ? undefined : el('div', { class: 'text' }, mrkdwn(text)),
    fields.length === 0 ? undefined : el('div', { class: 'fields' }, fields.map(fieldOf)),
    footer === undefined ? undefined : el('div', { class: 'faint' }, footer),
  ];
  const nothing = classic.every((part) => part === undefined);
  const body =
    blocks === undefined
      ? nothing
        ? el('div', { class: 'text' }, fallback ?? '')
        : classic
      : renderBlocks(blocks);
  const bar = el('div', { class: 'attachment' }, body);
  if (typeof color === 'string')
    bar.style.borderLeftColor = NAMED_COLORS[color] ?? (color.startsWith('#') ? color : `#${color}`);
  return [pretext === undefined ? undefined : el('div', { class: 'text' }, mrkdwn(pretext)), bar];
}
