import { describe, expect, it } from '@jest/globals';
import { compile, markedText, section, withoutDirections } from '@stanza/engine/testing';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { parseMarkdown } from './markdown.ts';
import { parseMrkdwn } from './mrkdwn.ts';
import type { MarkdownNode, TextNode } from './nodes.ts';

/** The words that nodes show, and the marks that they stand in. */
interface Shown {
  text: string;
  marks: string[];
}

type Node = TextNode | MarkdownNode;

/** What stands in a node. */
const inside = (node: Node): Node[] => {
  if ('children' in node) return [...node.children];
  if ('items' in node) return node.items.flat();
  return 'rows' in node ? [...node.header, ...node.rows.flat()].flat() : [];
};

const unmarked = new Set(['text', 'paragraph', 'emoji']);

const read = (nodes: readonly Node[], shown: Shown): Shown => {
  for (const node of nodes) {
    if (node.type === 'emoji') shown.text += `:${node.name}:`;
    else if ('text' in node) shown.text += node.text;
    // A bare address is a link wherever it stands.
    const isBare = node.type === 'link' && node.text === node.url;
    if (!unmarked.has(node.type) && !isBare) shown.marks.push(node.type);
    read(inside(node), shown);
  }
  return shown;
};

/** Spaces, line ends and what stands in for characters that mrkdwn cannot show are no difference to a reader. */
const asSeen = (text: string): string =>
  withoutDirections(text)
    .toWellFormed()
    .replaceAll('\0', '')
    .replaceAll('\u02CB', '`')
    .replaceAll('❌', ':x:')
    .replace(/[\s\uFEFF\u200B]+/gu, '');

const textOf = (block: unknown, v: string): string => {
  const [made] = compile([block], { v }).blocks;
  const text = made?.text;
  if (typeof text === 'string') return text;
  return typeof text === 'object' && text !== null && 'text' in text ? String(text.text) : '';
};

const runs = { numRuns: cases(400, 60) };

const checkShown = (template: string, marks: readonly string[], draw: (v: string) => Shown): void => {
  const [before = '', behind = ''] = draw('VALUE').text.split('VALUE').map(asSeen);
  fc.assert(
    fc.property(markedText, (v) => {
      fc.pre(asSeen(v) !== '');
      const shown = draw(v);
      expect({ template, text: asSeen(shown.text), marks: [...new Set(shown.marks)] }).toEqual({
        template,
        text: before + asSeen(v) + behind,
        marks,
      });
    }),
    runs,
  );
};

describe('a value of the data in a preview', () => {
  it.each([
    ['before {{v}} after', []],
    ['say *{{v}}*', ['bold']],
    ['> {{v}}', ['quote']],
    ['run `{{v}}` now', ['code']],
    ['```{{v}}``` after', ['pre']],
    ['see <https://e.com/x|page {{v}}> now', ['link']],
  ])('is shown as it is in mrkdwn: %s', (template, marks) => {
    checkShown(template, marks, (v) =>
      read(parseMrkdwn(textOf(section(template), v)), { text: '', marks: [] }),
    );
  });

  it.each([
    ['before {{v}} after', []],
    ['**{{v}}**', ['bold']],
    ['# see {{v}} here', ['heading']],
    ['- {{v}}\n- second', ['list']],
    ['> {{v}}\n\nafter', ['quote']],
    ['run `{{v}}` now', ['code']],
    ['log:\n```\n{{v}}\n```\nafter', ['pre']],
    ['> ```\n> {{v}}\n> ```\n\nafter', ['quote', 'pre']],
    ['- log\n  ```\n  {{v}}\n  ```\n- second', ['list', 'pre']],
    ['- a\n  - {{v}}\n- c', ['list']],
    ['see [page {{v}}](https://e.com/x) now', ['link']],
    ['| a | b |\n|---|---|\n| {{v}} | c |', ['table']],
  ])('is shown as it is in Markdown: %s', (template, marks) => {
    checkShown(template, marks, (v) =>
      read(parseMarkdown(textOf({ type: 'markdown', text: template }, v)), { text: '', marks: [] }),
    );
  });
});
