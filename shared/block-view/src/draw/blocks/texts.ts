import type { ViewContext } from '../../context.ts';
import { parseMarkdown } from '../../text/markdown.ts';
import type { MarkdownNode, MarkdownNodes, TextNode } from '../../text/nodes.ts';
import type { Blocks, Context, Section } from '../../types/blocks.ts';
import type { TextObject } from '../../types/text.ts';
import { type Child, el } from '../dom.ts';
import { drawElement } from '../elements.ts';
import { drawNodes, drawText } from '../text.ts';
import { drawPicture } from './media.ts';

/** A text in a box of its own, if there is one. */
export function drawTextIn(className: string, text: TextObject | undefined, context: ViewContext): Child {
  return text === undefined ? undefined : el('div', { class: className }, drawText(text, context));
}

/** A message has a heading of its own, so that the first level of its headers is the third of the page. */
const HEADINGS = ['h3', 'h4', 'h5', 'h6'] as const;

export function drawHeader({ text, level }: Blocks['header'], context: ViewContext): HTMLElement {
  const tag = HEADINGS[(level ?? 1) - 1] ?? 'h3';
  const sized = level === undefined ? '' : ` header-level-${level}`;
  return el(tag, { class: `header-block${sized}` }, drawText(text, context));
}

export function drawSection({ text, fields = [], accessory }: Section, context: ViewContext): HTMLElement {
  const inFields = fields.map((field) => drawTextIn('text', field, context));
  return el(
    'div',
    { class: 'section-block' },
    el(
      'div',
      { class: 'section-body' },
      drawTextIn('text', text, context),
      fields.length === 0 ? undefined : el('div', { class: 'fields' }, inFields),
    ),
    accessory === undefined ? undefined : el('div', { class: 'accessory' }, drawElement(accessory, context)),
  );
}

export function drawContext({ elements }: Context, context: ViewContext): HTMLElement {
  const drawn = elements.map((element) =>
    element.type === 'image'
      ? drawPicture(element, 'context-picture')
      : el('span', { class: 'text' }, drawText(element, context)),
  );
  return el('div', { class: 'context-block' }, drawn);
}

function drawRow(tag: 'th' | 'td', cells: readonly (readonly TextNode[])[], context: ViewContext): Child {
  const attributes = tag === 'th' ? { scope: 'col' } : {};
  return el(
    'tr',
    {},
    cells.map((cell) => el(tag, attributes, drawNodes(cell, context))),
  );
}

const markdownDrawings: {
  [T in keyof MarkdownNodes]: (node: MarkdownNode<T>, context: ViewContext) => Child;
} = {
  heading: ({ level, children }, context) =>
    el(HEADINGS[level - 1] ?? 'h6', {}, drawNodes(children, context)),
  paragraph: ({ children }, context) => el('p', {}, drawNodes(children, context)),
  quote: ({ children }, context) => el('blockquote', {}, drawMarkdownNodes(children, context)),
  list: ({ start, items }, context) =>
    el(
      start === undefined ? 'ul' : 'ol',
      start === undefined ? {} : { start: String(start) },
      items.map((item) => el('li', {}, drawMarkdownNodes(item, context))),
    ),
  pre: ({ text }) => el('pre', {}, text),
  rule: () => el('hr', { class: 'divider' }),
  table: ({ header, rows }, context) =>
    el(
      'table',
      { class: 'table' },
      el('thead', {}, drawRow('th', header, context)),
      el(
        'tbody',
        {},
        rows.map((row) => drawRow('td', row, context)),
      ),
    ),
};

function drawMarkdownNode<T extends keyof MarkdownNodes>(node: MarkdownNode<T>, context: ViewContext): Child {
  return markdownDrawings[node.type](node, context);
}

function drawMarkdownNodes(nodes: readonly MarkdownNode[], context: ViewContext): Child {
  return nodes.map((node) => drawMarkdownNode(node, context));
}

export function drawMarkdown({ text }: Blocks['markdown'], context: ViewContext): HTMLElement {
  return el('div', { class: 'markdown-block text' }, drawMarkdownNodes(parseMarkdown(text), context));
}
