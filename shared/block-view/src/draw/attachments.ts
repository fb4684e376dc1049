import type { ViewContext } from '../context.ts';
import type { Attachment } from '../types/surfaces.ts';
import { type Child, el, link } from './dom.ts';
import { drawEach } from './draw-blocks.ts';
import { drawText } from './text.ts';

const NAMED_COLORS = new Map([
  ['good', '#2eb67d'],
  ['warning', '#ecb22e'],
  ['danger', '#e01e5a'],
]);

function mrkdwn(text: string, context: ViewContext): Child {
  return drawText({ type: 'mrkdwn', text }, context);
}

function headingOf({ title, title_link }: Attachment): Child {
  if (title === undefined) return undefined;
  const words = title_link === undefined ? el('span', {}, title) : link(title_link, {}, title);
  return el('div', { class: 'card-title' }, words);
}

function fieldsOf({ fields = [] }: Attachment, context: ViewContext): Child {
  if (fields.length === 0) return undefined;
  const drawn = fields.map(({ title = '', value = '' }) =>
    el('div', { class: 'text' }, el('strong', {}, title), '\n', mrkdwn(value, context)),
  );
  return el('div', { class: 'fields' }, drawn);
}

/** The body in the older form, or the fallback where it is empty. */
function classicBody(attachment: Attachment, context: ViewContext): Child {
  const { text, footer, fallback = '' } = attachment;
  const body = [
    headingOf(attachment),
    text === undefined ? undefined : el('div', { class: 'text' }, mrkdwn(text, context)),
    fieldsOf(attachment, context),
    footer === undefined ? undefined : el('div', { class: 'faint' }, footer),
  ];
  return body.every((part) => part === undefined) ? el('div', { class: 'text' }, fallback) : body;
}

/** Draws an attachment: its blocks, or the older form of title, text and fields, next to a coloured bar. */
export function drawAttachment(attachment: Attachment, context: ViewContext): Child {
  const { color, pretext, blocks } = attachment;
  const body = blocks === undefined ? classicBody(attachment, context) : drawEach(blocks, context);
  const bar = el('div', { class: 'attachment' }, body);
  if (color !== undefined)
    bar.style.borderLeftColor = NAMED_COLORS.get(color) ?? (color.startsWith('#') ? color : `#${color}`);
  return [pretext === undefined ? undefined : el('div', { class: 'text' }, mrkdwn(pretext, context)), bar];
}
