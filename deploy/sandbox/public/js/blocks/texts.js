import { el } from '../dom.js';
import { renderNodes, renderText } from '../text/inline.js';
import { parseMarkdown } from '../text/markdown.js';
import { renderElement } from './elements.js';
import { pictureOf } from './media.js';

export function renderHeader({ text }) {
  return el('h3', { class: 'header-block' }, renderText(text));
}

export function renderSection({ text, fields = [], accessory }) {
  return el(
    'div',
    { class: 'section-block' },
    el(
      'div',
      { class: 'section-body' },
      text === undefined ? undefined : el('div', { class: 'text' }, renderText(text)),
      fields.length === 0
        ? undefined
        : el(
            'div',
            { class: 'fields' },
            fields.map((field) => el('div', { class: 'text' }, renderText(field))),
          ),
    ),
    accessory === undefined ? undefined : el('div', { class: 'accessory' }, renderElement(accessory)),
  );
}

export function renderContext({ elements }) {
  const parts = elements.map((element) =>
    element.type === 'image'
      ? pictureOf(element, 'context-picture')
      : el('span', { class: 'text' }, renderText(element)),
  );
  return el('div', { class: 'context-block' }, parts);
}

const markdownRenderers = {
  heading: ({ level, children }) => el(`h${Math.min(level + 2, 6)}`, {}, renderNodes(children)),
  paragraph: ({ children }) => el('p', {}, renderNodes(children)),
  quote: ({ children }) => el('blockquote', {}, renderNodes(children)),
  list: ({ ordered, items }) =>
    el(
      ordered ? 'ol' : 'ul',
      {},
      items.map((item) => el('li', {}, renderNodes(item))),
    ),
  pre: ({ text }) => el('pre', {}, text),
  rule: () => el('hr', { class: 'divider' }),
  table: ({ header, rows }) =>
    el(
      'table',
      { class: 'table' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          header.map((cell) => el('th', { scope: 'col' }, renderNodes(cell))),
        ),
      ),
      el(
        'tbody',
        {},
        rows.map((row) =>
          el(
            'tr',
            {},
            row.map((cell) => el('td', {}, renderNodes(cell))),
          ),
        ),
      ),
    ),
};

export function renderMarkdown({ text }) {
  return el(
    'div',
    { class: 'markdown-block text' },
    parseMarkdown(text).map((node) => markdownRenderers[node.type](node)),
  );
}
