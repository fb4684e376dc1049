import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { limits } from '../index.ts';
import { compile } from '../testing/compile.ts';
import { readMarkdown } from '../testing/markdown-reader.ts';
import { readMrkdwn } from '../testing/mrkdwn-reader.ts';
import { codePoints } from './cut.ts';

const runs = { numRuns: cases(300, 50) };

/** Values in one line: long, full of marks and entities, of characters that take several units. */
const long = fc
  .oneof(
    fc.constantFrom('x', '&', '<', '`', '*', '_', '😀', ':tada:', 'é', '[', '```', 'word '),
    fc.string({ minLength: 1, maxLength: 5 }).map((text) => text.replace(/\s/g, 'y')),
  )
  .chain((unit) => fc.integer({ min: 1, max: 6_000 }).map((times) => unit.repeat(times)));

/** Parts of a text as authors write them, with a value or none. */
const ofMrkdwn = [
  'Deploy of ',
  '{{a}}',
  '*{{b}}* ',
  '_by {{c}}_ ',
  'run `{{a}}` ',
  '```{{b}}``` ',
  ' <https://ci.example.com/1|View run>',
  ' <https://ci.example.com/2|Run {{c}}> ',
  '{{a | truncate:40}} ',
  '{{b | code}} ',
  '{{c | upper}} & more ',
  '~{{a}}~, ',
];
const ofMarkdown = [
  'Deploy of ',
  '{{a}}',
  '\n\n**bold** {{b}}\n\n',
  'run `{{c}}` ',
  '\n```\n{{a}}\n```\n',
  '\n- {{b}}\n- second\n\n',
  ' [View run](https://ci.example.com/1) ',
  ' [Run {{c}}](https://ci.example.com/2) ',
  '{{a | code}} ',
];
const ofPlain = ['Deploy of ', '{{a}}', ' by ', '{{b}}', '{{c | truncate:10}}', ' (', ')'];

const textOf = (parts: readonly string[]) =>
  fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 }).map((found) => found.join(''));

type Position = readonly [
  name: keyof typeof limits,
  kind: 'mrkdwn' | 'markdown' | 'plain',
  build: (text: string) => object,
];

const mrkdwn = (text: string) => ({ type: 'mrkdwn', text });
const plain = (text: string) => ({ type: 'plain_text', text });
const inActions = (element: object) => ({ type: 'actions', elements: [element] });
const card = (more: object) => ({ type: 'card', body: plain('body'), ...more });

/** A text of each kind at limits from 20 to 12,000 characters. */
const positions: readonly Position[] = [
  ['section.text', 'mrkdwn', (text) => ({ type: 'section', text: mrkdwn(text) })],
  ['section.field', 'mrkdwn', (text) => ({ type: 'section', fields: [mrkdwn(text)] })],
  ['text.text', 'mrkdwn', (text) => ({ type: 'context', elements: [mrkdwn(text)] })],
  ['card.body', 'mrkdwn', (text) => card({ body: mrkdwn(text) })],
  ['card.title', 'mrkdwn', (text) => card({ title: mrkdwn(text) })],
  ['markdown.text', 'markdown', (text) => ({ type: 'markdown', text })],
  ['header.text', 'plain', (text) => ({ type: 'header', text: plain(text) })],
  ['section.text', 'plain', (text) => ({ type: 'section', text: plain(text) })],
  ['button.text', 'plain', (text) => inActions({ type: 'button', text: plain(text) })],
  [
    'image.alt_text',
    'plain',
    (text) => ({ type: 'image', image_url: 'https://e.com/i.png', alt_text: text }),
  ],
  ['plan.title', 'plain', (text) => ({ type: 'plan', title: text, tasks: [] })],
];

const parts = { mrkdwn: ofMrkdwn, markdown: ofMarkdown, plain: ofPlain };

/** Delimiters of code in Markdown grow with the values inside. */
const withoutTicks = (text: string, kind: Position[1]): string =>
  kind === 'markdown' ? text.replace(/[` ]/g, '') : text;
/** The text of the template alone, piece by piece. */
const piecesOf = (text: string, kind: Position[1]): string[] =>
  text.split(/\{\{[^}]*\}\}/).map((piece) => withoutTicks(piece, kind));

const findText = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        typeof inner === 'string' && ['text', 'alt_text', 'title'].includes(key) ? [inner] : findText(inner),
      );

const marksIn = (text: string, kind: Position[1]): string[] => {
  if (kind === 'plain') return [];
  const { marks } = kind === 'mrkdwn' ? readMrkdwn(text) : readMarkdown(text);
  return marks.filter((mark) => mark !== 'bold' && mark !== 'italic' && mark !== 'strike').sort();
};

describe.each(positions)('a text at the limit %s (%s)', (limit, kind, build) => {
  it('keeps the text of the template whole and its marks closed, whatever the values are', () => {
    fc.assert(
      fc.property(textOf(parts[kind]), long, long, long, (text, a, b, c) => {
        fc.pre(text.trim() !== '');
        const { max } = limits[limit];
        const pieces = piecesOf(text, kind);
        fc.pre(codePoints(text.replace(/\{\{[^}]*\}\}/g, '')) + 60 <= max);
        const { blocks } = compile([build(text)], { a, b, c });
        fc.pre(blocks.length > 0);
        const made = findText(blocks).find((found) => found !== 'body') ?? '';
        expect(codePoints(made)).toBeLessThanOrEqual(max);
        let at = 0;
        const shown = withoutTicks(made, kind);
        for (const piece of pieces) {
          const found = shown.indexOf(piece, at);
          expect([piece, found >= at]).toEqual([piece, true]);
          at = found + piece.length;
        }
        const short = compile([build(text)], { a: 'VALUE', b: 'VALUE', c: 'VALUE' });
        const wanted = findText(short.blocks).find((found) => found !== 'body') ?? '';
        if (!text.includes('| code')) expect(marksIn(made, kind)).toEqual(marksIn(wanted, kind));
      }),
      runs,
    );
  });
});
