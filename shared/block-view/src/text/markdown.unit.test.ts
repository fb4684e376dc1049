import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from './markdown.ts';

const text = (value: string) => ({ type: 'text', text: value });

describe('markdown', () => {
  it('reads a heading once, however many spaces it has, and drops the marks that close it', () => {
    const heading = (title: string) => [
      { type: 'heading', level: 1, children: title === '' ? [] : [text(title)] },
    ];
    for (const [line, title] of [
      ['#  a # ##', 'a #'],
      ['# a##', 'a'],
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

  it('reads lists of both kinds', () => {
    expect(parseMarkdown('- a\n- b\n\n1. c')).toEqual([
      { type: 'list', ordered: false, items: [[text('a')], [text('b')]] },
      { type: 'list', ordered: true, items: [[text('c')]] },
    ]);
  });

  it('reads quotes and fences, in which nothing else has a meaning', () => {
    expect(parseMarkdown('> a\n> b\n```js\n**x** &lt;\n```')).toEqual([
      { type: 'quote', children: [text('a\nb')] },
      { type: 'pre', text: '**x** <' },
    ]);
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
});
