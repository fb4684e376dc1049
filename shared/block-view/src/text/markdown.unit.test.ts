import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from './markdown.ts';
import type { MarkdownNode, TextNode } from './nodes.ts';

const paragraph = (...children: TextNode[]): MarkdownNode => ({ type: 'paragraph', children });
const bullets = (...items: MarkdownNode[][]): MarkdownNode => ({ type: 'list', start: undefined, items });
const text = (value: string): TextNode => ({ type: 'text', text: value });
const link = (url: string, label = url): TextNode => ({ type: 'link', url, text: label });

describe('markdown', () => {
  it('reads a heading once, however many spaces it has, and drops the marks that close it', () => {
    const heading = (title: string) => [
      { type: 'heading', level: 1, children: title === '' ? [] : [text(title)] },
    ];
    for (const [line, title] of [
      ['#  a # ##', 'a #'],
      ['# a##', 'a##'],
      ['# a \\##', 'a ##'],
      ['# ##', ''],
      [`#${' '.repeat(12_000)}x`, 'x'],
    ] as const)
      expect(parseMarkdown(line)).toEqual(heading(title));
    // A pattern that tries to part the spaces in every way takes half an hour for this one.
    expect(parseMarkdown(`#${' '.repeat(12_000)}x\u2028y`)).toMatchObject([{ type: 'paragraph' }]);
  });

  it('reads headings, paragraphs and rules', () => {
    expect(parseMarkdown('## Title\n\none\ntwo\n\n---')).toEqual([
      { type: 'heading', level: 2, children: [text('Title')] },
      { type: 'paragraph', children: [text('one\ntwo')] },
      { type: 'rule' },
    ]);
  });

  it('A preview reads lists of both kinds, and numbers from the first of its list', () => {
    expect(parseMarkdown('- a\n- b\n\n7. c')).toEqual([
      bullets([paragraph(text('a'))], [paragraph(text('b'))]),
      { type: 'list', start: 7, items: [[paragraph(text('c'))]] },
    ]);
  });

  it('reads quotes and fences, in which nothing else has a meaning', () => {
    expect(parseMarkdown('> a\n> b\n```js\n**x** &lt;\n```')).toEqual([
      { type: 'quote', children: [paragraph(text('a\nb'))] },
      { type: 'pre', text: '**x** &lt;' },
    ]);
  });

  const code = (...lines: string[]): MarkdownNode => ({ type: 'pre', text: lines.join('\n') });
  it.each<[string, MarkdownNode]>([
    ['````\n```\na\n```\n````', code('```', 'a', '```')],
    ['~~~ sh\n```\n~~~', code('```')],
    ['```\n```js\n```', code('```js')],
    ['- log\n  ```\n  a\n\n    b\n  ```', bullets([paragraph(text('log')), code('a', '', '  b')])],
    ['-     a', bullets([code('a')])],
    ['log:\n\n    a\n      b', code('a', '  b')],
    ['> ```\n> a\n> # b\n> ```', { type: 'quote', children: [code('a', '# b')] }],
    ['> ```\n> a\nb', paragraph(text('b'))],
    ['> - ```\n>   a\n>   ```', { type: 'quote', children: [bullets([code('a')])] }],
  ])('reads a block of code up to what ends it: %j', (source, block) => {
    expect(parseMarkdown(source).at(-1)).toEqual(block);
  });

  it.each<[string, MarkdownNode]>([
    ['- a\n  b\n- c', bullets([paragraph(text('a\nb'))], [paragraph(text('c'))])],
    ['- a\nb', bullets([paragraph(text('a\nb'))])],
    ['- a\n\n  b', bullets([paragraph(text('a')), paragraph(text('b'))])],
    ['- a\n  - b', bullets([paragraph(text('a')), bullets([paragraph(text('b'))])])],
    ['- a\n\t> b', bullets([paragraph(text('a')), { type: 'quote', children: [paragraph(text('b'))] }])],
    ['-\n  a', bullets([paragraph(text('a'))])],
    ['in\n2025. It', paragraph(text('in\n2025. It'))],
  ])('keeps further lines in their item or paragraph: %j', (source, block) => {
    expect(parseMarkdown(source)).toEqual([block]);
  });

  it('A preview shows marks of quotes and items as text where very many stand in each other', () => {
    const depthOf = (nodes: readonly MarkdownNode[]): number =>
      Math.max(0, ...nodes.map((node) => (node.type === 'quote' ? 1 + depthOf(node.children) : 0)));
    expect(depthOf(parseMarkdown('>'.repeat(12_000)))).toBe(8);
  });

  it('takes a > that is an entity for text', () => {
    expect(parseMarkdown('a\n&gt; b')).toEqual([{ type: 'paragraph', children: [text('a\n> b')] }]);
  });

  it('parts the cells of a row at a | that no backslash stands before', () => {
    const rows = [[[text('a|b')], [{ type: 'code', text: 'c|d' }], [], [text('e\\')]]];
    const header = ['1', '2', '3', '4'].map((name) => [text(name)]);
    const source = '| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n| a\\|b | `c\\|d` || e\\\\|';
    expect(parseMarkdown(source)).toEqual([{ type: 'table', header, rows }]);
  });

  it('reads a table', () => {
    expect(parseMarkdown('| a | b |\n|---|:-:|\n| 1 | 2 |')).toEqual([
      { type: 'table', header: [[text('a')], [text('b')]], rows: [[[text('1')], [text('2')]]] },
    ]);
  });

  it('reads styles, code, links and emoji inside lines', () => {
    const children = [
      { type: 'bold', children: [text('a')] },
      text(' '),
      { type: 'italic', children: [text('b')] },
      text(' '),
      { type: 'strike', children: [text('c')] },
      text(' '),
      { type: 'code', text: 'd' },
      text(' '),
      { type: 'link', url: 'https://f.example', text: 'e' },
      text(' '),
      { type: 'emoji', name: 'tada', character: '🎉' },
    ];
    const source = '**a** *b* ~~c~~ `d` [e](https://f.example) :tada:';
    expect(parseMarkdown(source)).toEqual([{ type: 'paragraph', children }]);
  });

  it('shows escaped characters as they were meant, never as markup', () => {
    expect(parseMarkdown('&lt;!channel&gt; <b>')).toEqual([
      { type: 'paragraph', children: [text('<!channel> <b>')] },
    ]);
  });

  const line: [string, string, TextNode[]][] = [
    ['characters behind backslashes', '\\*a\\* \\_b\\_ \\[c\\](d) 1\\. \\\\', [text('*a* _b_ [c](d) 1. \\')]],
    ['characters by their numbers', '&#35;1 &#x2a;a* &amp;lt;', [text('#1 *a* &lt;')]],
    ['code between more backticks', '`` a`b ``', [{ type: 'code', text: 'a`b' }]],
    ['a backtick without its end', 'a ` b', [text('a ` b')]],
    ['an entity in code as it is', '`&lt;`', [{ type: 'code', text: '&lt;' }]],
    ['an address between < and >', '<https://a.example/_b_>', [link('https://a.example/_b_')]],
    ['a bare address', 'https://a.example/\\_b\\_c', [link('https://a.example/_b_c')]],
    ['a label with brackets', '[a \\] [b]](https://c.example)', [link('https://c.example', 'a ] [b]')]],
    [
      'a title of a link',
      '[a](https://b.example/c(d)?e&amp;f "g")',
      [link('https://b.example/c(d)?e&f', 'a')],
    ],
    ['brackets without an address', '[a] (b)', [text('[a] (b)')]],
    ['a mention', 'hi <@U0ADA>', [text('hi '), { type: 'user', id: 'U0ADA', label: undefined }]],
    [
      'styles in styles',
      '***a** b*',
      [{ type: 'italic', children: [{ type: 'bold', children: [text('a')] }, text(' b')] }],
    ],
    ['marks inside words', 'a_b_c 2 * 3 * 4 ~d~', [text('a_b_c 2 * 3 * 4 ~d~')]],
  ];
  it.each(line)('reads %s', (_, source, children) => {
    expect(parseMarkdown(source)).toEqual([{ type: 'paragraph', children }]);
  });
});
