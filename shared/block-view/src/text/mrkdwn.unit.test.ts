import { describe, expect, it } from '@jest/globals';
import { parseEmoji, parseMrkdwn } from './mrkdwn.ts';
import type { TextNode } from './nodes.ts';

const text = (value: string): TextNode => ({ type: 'text', text: value });
const link = (url: string): TextNode => ({ type: 'link', url, text: url });
const styled = (type: 'bold' | 'italic' | 'strike' | 'quote', ...children: TextNode[]): TextNode => ({
  type,
  children,
});

describe('mrkdwn', () => {
  const cases: [string, string, TextNode[]][] = [
    ['plain text', 'a b', [text('a b')]],
    ['bold', 'a *b c* d', [text('a '), styled('bold', text('b c')), text(' d')]],
    ['italic', '_a_', [styled('italic', text('a'))]],
    ['strike', '~a~', [styled('strike', text('a'))]],
    ['styles within styles', '*a _b_*', [styled('bold', text('a '), styled('italic', text('b')))]],
    ['styles beside punctuation', '(*a*), b', [text('('), styled('bold', text('a')), text('), b')]],
    ['code, in which nothing else has a meaning', '`*a* &lt;`', [{ type: 'code', text: '*a* <' }]],
    ['preformatted lines', '```\na\n  *b*\n```', [{ type: 'pre', text: 'a\n  *b*' }]],
    ['a quote, line by line', 'a\n&gt; b\n&gt; c\nd', [text('a'), styled('quote', text('b\nc')), text('d')]],
    ['a quote to the end', '&gt;&gt;&gt; a\nb', [styled('quote', text(' a\nb'))]],
    [
      'a link with a label',
      '<https://a.example/x?a=1&amp;b=2|the &lt;page&gt;>',
      [{ type: 'link', url: 'https://a.example/x?a=1&b=2', text: 'the <page>' }],
    ],
    [
      'a link without a label',
      '<https://a.example>',
      [{ type: 'link', url: 'https://a.example', text: 'https://a.example' }],
    ],
    [
      'a mail address',
      '<mailto:a@b.example>',
      [{ type: 'link', url: 'mailto:a@b.example', text: 'a@b.example' }],
    ],
    [
      'a bare address, without the full stop behind it',
      'see https://a.example/b.',
      [text('see '), { type: 'link', url: 'https://a.example/b', text: 'https://a.example/b' }, text('.')],
    ],
    [
      'a bare address, up to an entity that no address holds',
      '&lt;https://a.example/?b=1&amp;c&gt;',
      [text('<'), link('https://a.example/?b=1&c'), text('>')],
    ],
    ['a person', '<@U0ADA>', [{ type: 'user', id: 'U0ADA', label: undefined }]],
    ['a channel with a label', '<#C0ALERTS|alerts>', [{ type: 'channel', id: 'C0ALERTS', label: 'alerts' }]],
    ['a broadcast', '<!channel>', [{ type: 'broadcast', range: 'channel' }]],
    ['a group', '<!subteam^S1|@ops>', [{ type: 'usergroup', id: 'S1', label: '@ops' }]],
    [
      'a date',
      '<!date^1712345678^{date_short}|then>',
      [{ type: 'date', timestamp: 1_712_345_678, pattern: '{date_short}', url: undefined, fallback: 'then' }],
    ],
    ['a style around an address', '_https://a.example/_b_', [styled('italic', link('https://a.example/_b'))]],
    ['a known emoji', ':tada:', [{ type: 'emoji', name: 'tada', character: '🎉' }]],
  ];
  for (const [what, source, nodes] of cases) {
    it(`reads ${what}`, () => {
      expect(parseMrkdwn(source)).toEqual(nodes);
    });
  }

  const plain: [string, string, string][] = [
    ['escaped characters', '&lt;!channel&gt; &amp;amp;', '<!channel> &amp;'],
    ['stars between numbers', '2 * 3 * 4', '2 * 3 * 4'],
    ['underscores inside a word', 'snake_case_name', 'snake_case_name'],
    ['stars inside a word', 'é*b*ü', 'é*b*ü'],
    ['stars that the engine has stopped', '\u200B*\u200Ba\u200B*\u200B', '\u200B*\u200Ba\u200B*\u200B'],
    ['a star without its end', '*a', '*a'],
    ['a style over two lines', '*a\nb*', '*a\nb*'],
    ['an unknown emoji', ':nosuchthing:', ':nosuchthing:'],
    ['a time', 'at 10:30:45', 'at 10:30:45'],
    ['a bracket without its end', 'a < b', 'a < b'],
  ];
  for (const [what, source, shown] of plain) {
    it(`leaves ${what} as text`, () => {
      expect(parseMrkdwn(source)).toEqual([text(shown)]);
    });
  }
});

describe('plain text', () => {
  it('knows emoji and nothing else', () => {
    expect(parseEmoji('*a* :tada: &lt;')).toEqual([
      text('*a* '),
      { type: 'emoji', name: 'tada', character: '🎉' },
      text(' &lt;'),
    ]);
  });
});
