import { describe, expect, it } from '@jest/globals';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';
import { markedText } from '../testing/arbitraries.ts';
import { attempt, compile } from '../testing/compile.ts';
import { readMarkdown, textOutside } from '../testing/markdown-reader.ts';

const markdown = (text: string, data: Record<string, unknown>): string =>
  String(compile([{ type: 'markdown', text }], data).blocks[0]?.text);

/** The words outside of code, with a sign in place of each entity. */
const wordsOutside = (text: string): string =>
  textOutside(text.replace(/&(?:lt|gt);/g, '§').replaceAll('<!here>', 'BROADCAST'), 'code', 'code_block');

const starts = [
  ...[
    '',
    '',
    '',
    '- ',
    '-\t',
    '-      ',
    '1. ',
    '1.\t',
    '10)  ',
    '2. ',
    '> ',
    '>',
    '>\t',
    '  ',
    '    ',
    '\t',
  ],
  ...['# ', '##\t', '- - ', '- > ', '> - ', '>- ', '  - ', '\t- ', '   1.  ', '| '],
];
const words = [
  '{{w}}',
  ...[
    'W',
    'b c',
    '{{v}}',
    '{{v}}',
    '{{v}}',
    '**',
    '_',
    '`',
    '``',
    '~~',
    '[l](https://e.com/x)',
    '[',
    ']',
    ' ',
  ],
  ...[
    ' ',
    '.',
    '\\',
    '<',
    '<https://e.com/y>',
    '![',
    '|',
    '[x]: https://e.com/',
    '***',
    'it`s',
    '&',
    '#',
    '1',
    '-',
  ],
];
const ends = ['', '', '', '  ', '\\'];
const line = fc
  .tuple(
    fc.constantFrom(...starts),
    fc.array(fc.constantFrom(...words), { maxLength: 5 }),
    fc.constantFrom(...ends),
  )
  .map(([start, said, end]) => start + said.join('') + end);
const mark = fc.constantFrom('```', '~~~', '````', '```sh', '  ```', '- ```', '> ```', '---', '===', '');
/** Texts of several lines with quotes, lists, headings, code and values wherever an author may put them. */
const templates = fc
  .array(fc.oneof({ weight: 4, arbitrary: line }, { weight: 1, arbitrary: mark }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((lines) => lines.join('\n'))
  .filter((text) => text.includes('{{v}}'));
const values = fc
  .tuple(fc.constantFrom('', '', ' ', '\n', '\t', '\n   '), markedText, markedText)
  .map(([space, before, after]) => `${space}${before.length > 100 ? '' : before}<!here>${after}`);

describe('a broadcast in a value of a markdown block', () => {
  it.each([
    ['a quote whose mark a tab follows', '>\t{{v}}', '<!here>'],
    ['an item whose mark a tab follows', '-\t{{v}}', '<!here>'],
    ['an item in an item, with tabs', '-\ta\n\n\t- {{v}}', '<!here>'],
    ['an item behind one that begins with code', '-      code\n\n    {{v}}', '<!here>'],
    ['a line that goes on with a paragraph', 'a\n[b]: /c\n    {{v}}', '<!here>'],
    ['a line behind what looks like an item', 'a\n2. ```\n{{v}}', '<!here>'],
    ['a paragraph behind a line across the page', '`a\n***\n{{v}}`', '<!here>'],
    ['a quote whose code spans lines', '> a `b\n> c` {{v}} `d', '<!here>'],
    ['a line of a code span, where a heading begins', '`a\n{{v}}\nb`', '# <!here>'],
    ['code behind an item, which the value would go on with', '100. a\n\n    {{v}}', ' <!here>'],
    ['a code span whose end begins a line', '``a {{v}}\n``', '<!here>```'],
    ['a code span whose start begins a line of an item', '>- `\n{{v}}it`s', '```<!here>'],
    ['an item of code behind a definition', '[x]: https://e.com/\n-      {{v}}', '\na<!here>'],
    ['a code span that has backticks of its own', 'run `a `` {{v}}` now', '` <!here>'],
    ['a code span of two values', 'run `{{w}}{{v}}` now', '`<!here>``'],
    ['a code span whose line begins with a value', '`a\n{{w}}# {{v}}\nb`', '<!here>'],
    ['a line under a value that is blank', '{{w}}\n===\n    {{v}}', '<!here>'],
  ])('A broadcast in a value does not work in %s', (_, text, v) => {
    for (const w of ['', '`']) {
      expect(wordsOutside(markdown(text, { v, w }))).not.toContain('BROADCAST');
    }
  });

  it.each([
    ['an item whose quote has no space', '>- {{v | code:"sql"}}', '<!here>'],
    ['a line that looks like an item', 'a\n10)  {{v | code:"sql"}}', '<!here>'],
    ['code behind a blank value', '1.\n  {{w | styled}}{{v | code:"sql"}}', '<!here>'],
    ['code behind a value whose last line is blank', '{{v | styled}}{{v | code}}', 'a\n<!here>\n\t'],
    ['a value whose lines end as on old systems', '{{v | styled}}', '```\r<!here>**\n```\r<!here>**\n'],
  ])('A broadcast in a value does not work by the filters of %s', (_, text, v) => {
    expect(wordsOutside(markdown(text, { v, w: ' ' }))).not.toContain('BROADCAST');
  });

  it('A broadcast in a value works nowhere, and none of its links does', () => {
    fc.assert(
      fc.property(templates, values, fc.oneof(fc.constantFrom('', ' ', '\n'), values), (text, v, w) => {
        const result = attempt([{ type: 'markdown', text }], { v, w });
        if (!result.ok) return;
        const written = String(result.blocks[0]?.text ?? '');
        expect(wordsOutside(written)).not.toContain('BROADCAST');
        const own = /^(?:link|image) (?:https:\/\/e\.com\/|$)/;
        const links = readMarkdown(written).marks.filter((found) => /^link /.test(found) && !own.test(found));
        expect(links).toEqual([]);
      }),
      { numRuns: cases(2_000, 300) },
    );
  });

  it.each([
    ['a quote whose mark a tab follows', '>\t{{v}}', '>\ta\n>\tb'],
    ['an item whose mark a tab follows', '-\t{{v}}', '-\ta\n \tb'],
    ['a tab in code', '```\n\t{{v}}\n```', '```\n\ta\n\tb\n```'],
    ['a code span of two lines', 'run `a\nb {{v}}`', 'run `a\nb a b`'],
  ])('The lines of a value stay behind the tabs of %s', (_, text, shown) => {
    expect(markdown(text, { v: 'a\nb' })).toBe(shown);
  });
});
