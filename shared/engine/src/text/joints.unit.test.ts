import { describe, expect, it } from '@jest/globals';
import { compile } from '../testing/compile.ts';
import { readMarkdown } from '../testing/markdown-reader.ts';

const markdown = (text: string, data: Record<string, unknown>): string =>
  String(compile([{ type: 'markdown', text }], data).blocks[0]?.text);
const marksOf = (text: string, data: Record<string, unknown>): readonly string[] =>
  readMarkdown(markdown(text, data)).marks;

describe('a value next to half of a mark of the template', () => {
  it.each([
    ['parentheses behind a label', '[l]({{v}}', 'https://evil.example)'],
    ['parentheses behind a label, which text stands in too', '[l](see {{v}}', '"x")'],
    ['parentheses behind a label, which several values stand in', '[l]({{v}} {{w}})', 'https://evil.example'],
    ['a label, with its styles', '[l]{{v | styled}}', '(https://evil.example)'],
    ['a label used twice, with its styles', '[l]{{v | styled}}\n\n[l]', ': https://evil.example'],
    ['an address that another value begins', '<{{w}}{{v}}>', '[q](https://evil.example)'],
    ['a `<` and code', '<`{{v}}`', 'a@evil.example>'],
    ['a `<` and code of a filter', '<{{v | code}}', 'a@evil.example>'],
    ['a `<` and code in a styled value', '<{{v | styled}}', 'a`@evil.example>`'],
  ])('A value makes no link in %s', (_, text, v) => {
    for (const w of ['', 'a', '"t"'])
      expect(marksOf(text, { v, w }).filter((mark) => mark.startsWith('link'))).toEqual([]);
  });

  it('A styled value that ends in `!` makes no image of a link behind it', () => {
    expect(marksOf('{{v | styled}}[l](https://e.com/)', { v: 'a!' })).toEqual(['link https://e.com/']);
  });

  it.each(['~x~', '~~~x'])('A styled value begins no block of code with the marks around it: %s', (v) => {
    expect(marksOf('~~{{v | styled}}~~ a\n\n**b**', { v })).toEqual(['strong']);
  });

  it.each([
    ['name (role)', '**name (role)\u200B**様'],
    ['name', '**name**様'],
    ['*', '**\u200B\\*\u200B**様'],
  ])('A value leaves the marks inside of a word at work: %s', (v, shown) => {
    const text = markdown('a**{{v}}**様', { v });
    expect(text).toBe(`a${shown}`);
    expect(readMarkdown(text).marks).toEqual(['strong']);
  });

  it('A value leaves the text of the template as it is', () => {
    expect(readMarkdown(markdown('[l]({{v}} [k](https://e.com/) [m](b c) {{v}}', { v: 'x' }))).toEqual({
      text: '[l](x k [m](b c) x\n',
      marks: ['link https://e.com/'],
    });
  });
});

describe('a value in a row of a table', () => {
  it.each([
    ['| `a | {{v}}` |\n|---|---|', '| \\`a | &lt;!here&gt;\\` |\n|---|---|'],
    ['a `b | c\n|---|---|\nd | {{v}}`', 'a \\`b | c\n|---|---|\nd | &lt;!here&gt;\\`'],
    ['| `a` | `{{v}}` |\n|---|---|', '| `a` | `<!here>` |\n|---|---|'],
    ['| `a \\| {{v}}` |\n|---|', '| `a \\| <!here>` |\n|---|'],
    ['| **a | {{v}}** |\n|---|---|', '| **a | &lt;!here&gt;** |\n|---|---|'],
  ])('A value stands in the marks of its cell alone: %j', (text, shown) => {
    expect(markdown(text, { v: '<!here>' })).toBe(shown);
  });
});

describe('a value behind what looks like a definition', () => {
  it.each(['a\n[Note]: {{v}}', '[ ]: {{v}}', '[Note]: ({{v}}', '[a[b]: {{v}}'])(
    'A value is text where no definition can be: %j',
    (text) => {
      expect(readMarkdown(markdown(text, { v: 'disk *full*' })).text).toContain('disk *full*');
    },
  );

  it('A value is the address of a definition where one is', () => {
    expect(marksOf('[Note]: {{v}}\n\n[Note]', { v: 'https://e.com/a b' })).toEqual([
      'link https://e.com/a%20b',
    ]);
  });
});

describe('a styled value in an item', () => {
  it('A styled value that begins with line ends stays in its item', () => {
    expect(marksOf('   1.  {{v | styled}}', { v: '\n\nx' })).toEqual(['list', 'item']);
  });
});

describe('the language of code in a styled value', () => {
  it.each(['{{v | styled}}', '1. {{v | styled}}', '> {{v | styled}}', 'a {{v | styled}}'])(
    'The language of code in a value mentions no one in %s',
    (text) => {
      for (const mark of ['```', '~~~'])
        expect(markdown(text, { v: `${mark}<!here>\nx` })).not.toContain('<!here>');
    },
  );
});

describe('an empty value between two codes', () => {
  it.each(['', '\0'])('An empty value keeps two codes apart, so that nothing in them works: %j', (w) => {
    const text = '`{{v}}`{{w}}``{{v}}``';
    expect(marksOf(text, { v: '<!here>', w })).toEqual(['code', 'code']);
    expect(marksOf(text, { v: '<!here>`', w })).toEqual(['code', 'code']);
  });
});
