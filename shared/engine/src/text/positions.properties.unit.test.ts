import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { markedText, withoutDirections } from '../testing/arbitraries.ts';
import { compile, section } from '../testing/compile.ts';
import { readMarkdown, textOutside } from '../testing/markdown-reader.ts';
import { readMrkdwn, withoutStandIns } from '../testing/mrkdwn-reader.ts';
import { cleanPlain } from './escape.ts';

const runs = { numRuns: cases(400, 60) };

const shown = (text: string): string =>
  withoutDirections(text)
    .toWellFormed()
    .replaceAll('\0', '')
    .replace(/[\s\uFEFF]+/gu, ' ')
    .trim();

const markdownOf = (text: string, v: string): string => {
  const [block] = compile([{ type: 'markdown', text }], { v }).blocks;
  return String(block?.text ?? '');
};
const mrkdwnOf = (text: string, v: string): string => {
  const object = compile([section(text)], { v }).blocks[0]?.text;
  return typeof object === 'object' && object !== null && 'text' in object ? String(object.text) : '';
};

/** A text with a value, and the marks of the template that must still work around it. */
const markdownPositions: readonly (readonly [name: string, text: string, marks: readonly string[]])[] = [
  ['text', 'before {{v}} after', []],
  ['a text of its own', '{{v}}', []],
  ['the end of a line', 'see: {{v}}\nand more', []],
  ['a paragraph of its own', 'before\n\n{{v}}\n\nafter', []],
  ['an item of a list', '- {{v}}\n- second', ['list', 'item', 'item']],
  ['a numbered item', '1. {{v}}\n2. second', ['list', 'item', 'item']],
  ['a quote', '> {{v}}\n\nafter', ['block_quote']],
  ['a code span', 'run `{{v}}` now', ['code']],
  ['a longer code span', 'run ``a {{v}}`` now', ['code']],
  ['a code span behind a backtick', 'don`t run ``a {{v}}`` now', ['code']],
  ['a fence', 'log:\n```\n{{v}}\n```\nafter', ['code_block']],
  ['a fence with a language', '```sh\n$ {{v}}\n```\nafter', ['code_block']],
  ['a fence of tildes', '~~~\n{{v}}\n~~~\nafter', ['code_block']],
  ['a fence in a list', '- log\n  ```\n  {{v}}\n  ```\n- second', ['list', 'item', 'code_block', 'item']],
  ['an indented block', 'log:\n\n    {{v}}\n\nafter', ['code_block']],
  [
    'a fence in a nested list',
    '- a\n  - b\n    ```\n    {{v}}\n    ```\n- c',
    ['list', 'item', 'list', 'item', 'code_block', 'item'],
  ],
  [
    'a fence in a numbered list',
    '10. a\n\n    ```\n    {{v}}\n    ```\n11. b',
    ['list', 'item', 'code_block', 'item'],
  ],
  ['a fence in a quote', '> ```\n> {{v}}\n> ```\n\nafter', ['block_quote', 'code_block']],
  [
    'a fence in a list in a quote',
    '> - a\n>   ~~~\n>   {{v}}\n>   ~~~\n',
    ['block_quote', 'list', 'item', 'code_block'],
  ],
  ['a fence behind a mark of a list', '```yaml\n- {{v}}\n```\nafter', ['code_block']],
  ['a fence behind a mark of a quote', '```\n> {{v}}\n```\nafter', ['code_block']],
  ['a fence behind a bar', '```\n| {{v}} |\n```\nafter', ['code_block']],
  ['a fence that is never closed', 'log:\n```\n{{v}}', ['code_block']],
  ['an indented block of a quote', 'log\n\n>     {{v}}\n\nafter', ['block_quote', 'code_block']],
  ['an indented block behind a heading', '# log\n    {{v}}\n\nafter', ['heading', 'code_block']],
  ['an indented block of a list', '- log\n\n      {{v}}\n\nafter', ['list', 'item', 'code_block']],
  ['an indented block behind a list', '- a\n\nlog\n\n    {{v}}\n', ['list', 'item', 'code_block']],
  ['an indented block that looks like a list', 'log\n\n    - {{v}}\n', ['code_block']],
  ['a paragraph of an item', '- a\n\n  {{v}}\n- c', ['list', 'item', 'item']],
  ['the label of a link', 'see [page {{v}}](https://e.com/x) now', ['link https://e.com/x']],
  ['text behind brackets', '[x]{{v}} after', []],
  ['text behind an ampersand', 'AT&{{v}};', []],
  ['text behind a less-than sign', 'a <{{v}} b', []],
  ['text behind a hash', '#{{v}} after', []],
  ['text behind the digits of a line', '> 1{{v}} after', ['block_quote']],
  ['text behind the hyphen of a line', '-{{v}} after', []],
];

/** A text with a value, and what in the template a value of any lines stays in. */
const around: readonly (readonly [name: string, text: string, type: string])[] = [
  ['bold text', '**{{v}}**', 'strong'],
  ['bold text between words', 'say **so: {{v}} so** then', 'strong'],
  ['italic text', '_{{v}}_', 'emph'],
  ['text of two styles', 'say **_{{v}}_** then', 'emph'],
  ['bold text of an item', '- **{{v}}**\n- second', 'item'],
  ['an item', '- a {{v}} b\n\nafter', 'item'],
  ['bold text of a quote', '> **{{v}}**\n\nafter', 'block_quote'],
  ['a quote in an item', '- > a {{v}}\n\nafter', 'block_quote'],
  ['a heading', '# {{v}}\n\nafter', 'heading'],
  ['a heading between words', '## see {{v}} here\nafter', 'heading'],
  ['a heading with a line under it', 'see {{v}} here\n===\nafter', 'heading'],
  ['a heading of an item', '- ## {{v}}\n- second', 'heading'],
];

const isBlank = (value: string): boolean => shown(value) === '';

describe('a value in a markdown block', () => {
  it.each(markdownPositions)('is shown as it is in %s', (_, text, marks) => {
    fc.assert(
      fc.property(markedText, (v) => {
        fc.pre(!isBlank(v));
        const read = readMarkdown(markdownOf(text, v));
        const words = readMarkdown(text.replace('{{v}}', 'VALUE')).text.split('VALUE').map(shown);
        expect(shown(read.text).replaceAll(' ', '')).toBe(
          `${words[0]}${shown(v)}${words[1]}`.replaceAll(' ', ''),
        );
        expect(read.marks.filter((mark) => mark !== 'softbreak')).toEqual(marks);
      }),
      runs,
    );
  });

  it.each(around)('stays whole in %s', (_, text, type) => {
    fc.assert(
      fc.property(markedText, (v) => {
        fc.pre(!isBlank(v));
        const written = markdownOf(text, v);
        const words = readMarkdown(text.replace('{{v}}', 'VALUE')).text.split('VALUE').map(shown);
        expect(shown(readMarkdown(written).text).replaceAll(' ', '')).toBe(
          `${words[0]}${shown(v)}${words[1]}`.replaceAll(' ', ''),
        );
        const outside = textOutside(text.replace('{{v}}', 'VALUE'), type);
        expect(shown(textOutside(written, type))).toBe(shown(outside));
      }),
      { ...runs, examples: [['\u000e\t\0']] },
    );
  });

  it.each([
    ['a filter behind a backtick', 'don`t run {{v | code}} now'],
    ['a filter behind code', '`a`{{v | code}} now'],
    ['a filter before code', 'now {{v | code}}`a`'],
    ['a filter in an indented line of a paragraph', 'log:\n    {{v | code}}'],
    ['a filter in such a line of an item', '- log:\n      {{v | code:"sql"}}'],
    ['a fence that text follows on its last line', '```\n{{v}}\n```{{w}}\n{{v}}'],
    ['a fence that ends behind a value', '```\n{{w}}```\n{{v}}'],
  ])('A value stays in the code of %s', (_, text) => {
    fc.assert(
      fc.property(markedText, fc.constantFrom('', 'w', '\n', 'w\n', '\nw', ' \n```'), (v, w) => {
        const [block] = compile([{ type: 'markdown', text }], { v: `${v}<!here>`, w }).blocks;
        const written = String(block?.text).replaceAll('&lt;', '');
        expect(textOutside(written, 'code', 'code_block')).not.toContain('<!here>');
      }),
      {
        ...runs,
        examples: [
          ['`', 'w\n'],
          ['a\n\n', ''],
        ],
      },
    );
  });

  it('leads where the template says, as a part of an address', () => {
    fc.assert(
      fc.property(markedText, (v) => {
        const { text, marks } = readMarkdown(
          markdownOf('see [the page](https://e.com/{{v}} "title") now', v),
        );
        expect(shown(text)).toBe('see the page now');
        expect(marks).toEqual([expect.stringMatching(/^link https:\/\/e\.com\//)]);
      }),
      runs,
    );
  });

  it('makes no mark but the link of the template between < and >', () => {
    fc.assert(
      fc.property(markedText, (v) => {
        fc.pre(!isBlank(v));
        const { marks } = readMarkdown(markdownOf('see <https://e.com/?{{v}}> now', v));
        expect(marks).toEqual([expect.stringMatching(/^link https:\/\/e\.com\/\?/)]);
        for (const mark of readMarkdown(markdownOf('see <{{v}}> now', v)).marks) {
          expect(mark).toMatch(/^link (?:https?:|mailto:)/i);
        }
      }),
      runs,
    );
  });
});

const mrkdwnPositions: readonly (readonly [name: string, text: string, marks: readonly string[]])[] = [
  ['text', 'before {{v}} after', []],
  ['a text of its own', '{{v}}', []],
  ['bold text', 'say *{{v}}*', ['bold']],
  ['italic text between words', 'say _so: {{v}} so_ then', ['italic']],
  ['struck text', 'say ~{{v}}~', ['strike']],
  ['text of two styles', 'say *_{{v}}_* then', ['bold', 'italic']],
  ['a part of an address', 'see https://e.com/{{v}}/x now', []],
  ['bold text of a quote', '> *{{v}}*', ['bold', 'quote']],
  ['text beside bold and code', '*a* and `b` {{v}} *c* `d`', ['code', 'code', 'bold', 'bold']],
  ['a quote', '> {{v}}', ['quote']],
  ['a code span', 'run `{{v}}` now', ['code']],
  ['a fence', '```{{v}}``` after', ['block']],
  ['the label of a link', 'see <https://e.com/x|page {{v}}> now', ['link https://e.com/x']],
];

/**
 * A mark as often as it works: a quote in every line of its value, a style around the value in those that have words.
 */
const marksOfLines = (mark: string, text: string, v: string): string[] => {
  const isStyle = mark !== 'quote' && /[*_~][^`]*\{\{v\}\}[^`]*[*_~]/.test(text) && !text.includes('`');
  if (mark !== 'quote' && !isStyle) return [mark];
  const trimmed = isStyle || /[*_~]/.test(text) ? cleanPlain(v).trim() : v;
  const lines = trimmed.split(/\r\n?|\n/);
  return lines.filter((line) => mark === 'quote' || line.trim() !== '').map(() => mark);
};

describe('a value in mrkdwn', () => {
  it.each(mrkdwnPositions)('is shown as it is in %s', (_, text, marks) => {
    fc.assert(
      fc.property(markedText, (v) => {
        fc.pre(!isBlank(v));
        const read = readMrkdwn(mrkdwnOf(text, v));
        const words = readMrkdwn(text.replace('{{v}}', 'VALUE')).text.split('VALUE').map(shown);
        const said = shown(withoutStandIns(read.text)).replaceAll(' ', '');
        const wanted = `${words[0]}${shown(v.replaceAll('\u200B', '').replaceAll('\u02CB', '`'))}${words[1]}`;
        expect(said).toBe(wanted.replaceAll(' ', ''));
        expect([...read.marks].sort()).toEqual(marks.flatMap((mark) => marksOfLines(mark, text, v)).sort());
      }),
      // Marks whose neighbours change once the lines of the value are put into the styles around it, or what cannot be
      // posted is taken out.
      { ...runs, examples: [['\n\n* *'], ['a\n* *'], ['a\n* *`'], ['a\t\0']] },
    );
  });
});
