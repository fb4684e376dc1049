import { describe, expect, it } from '@jest/globals';
import { compile, written } from '../testing/compile.ts';
import { readMarkdown } from '../testing/markdown-reader.ts';
import { readMrkdwn } from '../testing/mrkdwn-reader.ts';

const markdown = (text: string, data: Record<string, unknown>): string =>
  String(compile([{ type: 'markdown', text }], data).blocks[0]?.text);
const mrkdwn = (text: string, data: Record<string, unknown>): string => String(written(text, data));

describe('a value whose marks work by the filter `styled`', () => {
  it.each([
    ['`x', '`x` `code` and *bold*'],
    ['*x', '*x* `code` and *bold*'],
    ['_x *y', '_x *y*_ `code` and *bold*'],
    ['```x', '```x``` `code` and *bold*'],
  ])('leaves no mark open for the text behind it in mrkdwn: %s', (v, shown) => {
    expect(mrkdwn('{{v | styled}} `code` and *bold*', { v })).toBe(shown);
  });

  it.each(['`x', '**x', '_x', '```\nx', '~~~\nx', 'x\n```\ny', '```\nx\n```', '- x\n\n  ```\n  y\n  ```'])(
    'leaves no mark open for the text behind it in a markdown block: %j',
    (v) => {
      for (const behind of [' `code` and **bold**', '\n\n`code` and **bold**']) {
        const { marks } = readMarkdown(markdown(`{{v | styled}}${behind}`, { v }));
        expect(marks.slice(-2)).toEqual(['code', 'strong']);
      }
    },
  );

  it.each([
    ['*x {{v | styled}}', 'a b*', []],
    ['x* {{v | styled}} y', '* a *b*', ['bold']],
    ['{{v | styled}}b* c', 'a *', []],
    ['*{{v | styled}}* c', '*b*', ['bold']],
    ['*{{v | styled}}* c', 'a *b', ['bold']],
    ['say _so *{{v | styled}}*_ c', 'a *b* _c_', ['bold', 'italic']],
    ['*{{v | styled}}* c', 'a\n_b_', ['bold', 'italic']],
    ['<https://e.com|{{v | styled}}> c', '*a\nb*', ['link https://e.com', 'bold']],
    ['`{{v | styled}}` c', '*a*', ['code']],
    ['> {{v | styled}}', '*a*\n_b_', ['quote', 'quote', 'bold', 'italic']],
  ])('pairs its marks with none of the text around it in mrkdwn: %s', (text, v, marks) => {
    expect(readMrkdwn(mrkdwn(text, { v })).marks.toSorted()).toEqual(marks.toSorted());
  });

  it.each([
    ['**x {{v | styled}}', 'a b** c', []],
    ['{{v | styled}}b** c', 'a **', []],
    ['**{{v | styled}}** c', '**a** b', ['strong']],
    ['_{{v | styled}}_ c', '_a_', ['emph']],
    ['**{{v | styled}}** c', '_a_\n\nb', ['strong', 'emph']],
    ['- {{v | styled}}\n- c', '_a_\n\nb', ['list', 'item', 'emph', 'item']],
    ['> {{v | styled}}\n\nc', '- a\n- b', ['block_quote', 'list', 'item', 'item']],
    ['Log: {{v | styled}}', '- a\n- b', ['list', 'item', 'item']],
    ['Log: {{v | styled}}', '```\na\n```', ['code_block']],
    ['# {{v | styled}}\nc', '_a\n\nb_', ['heading', 'emph']],
    ['[{{v | styled}}](https://e.com)', '**a**](https://evil.example) `', ['link https://e.com', 'strong']],
    ['`{{v | styled}}`', '**a**', ['code']],
    ['{{v | styled}}*b* c', 'a\\', ['emph']],
  ])('pairs its marks with none of the text around it in a markdown block: %j', (text, v, marks) => {
    expect(readMarkdown(markdown(text, { v })).marks).toEqual(marks);
  });

  it.each([' a ', '    ~~~*', '    code\n', '\ta', '- x\n  ```\n  y', '~~~\nq', 'a\n\nb'])(
    'leaves the style of the template around it: %j',
    (v) => {
      expect(readMarkdown(markdown('**{{v | styled}}** end', { v })).marks).toContain('strong');
      expect(mrkdwn('*{{v | styled}}* end', { v })).toMatch(/^\*\S(?:.*\S)?\* end$/);
    },
  );

  it.each([
    ['[a](https://evil.example) ![b](https://evil.example)', '', []],
    ['[a][c]\n\n[c]: https://evil.example', '', []],
    ['[a]', '(https://evil.example)', []],
    ['a\\](https://evil.example) [b\\](c)', '', []],
    ['- [ ] a\n- [x] b', '', ['list', 'item', 'item']],
    ['<https://evil.example> <b>', '', []],
  ])('makes no link, image or HTML in a markdown block: %j', (v, behind, marks) => {
    const read = readMarkdown(markdown(`{{v | styled}}${behind}`, { v }));
    expect(read.marks.filter((mark) => mark !== 'softbreak')).toEqual(marks);
  });

  it.each([
    ['{{v | styled}}', '`a<b && c[0](d)`', '`a<b && c[0](d)`'],
    ['{{v | styled}}', '```\n<b> & *\n```\n<b>', '```\n<b> & *\n```\n&lt;b&gt;'],
    ['{{v | styled}}', 'a `b\nc` <!here>', 'a &#96;b\nc&#96; &lt;!here&gt;'],
    ['{{v | styled}}', '- a\n  ```\n<!here>', '- a\n  ```\n&lt;!here&gt;\n  ```\n'],
    ['a\n    {{v | styled}}', '~~~\n<!here>', 'a\n    \\~\\~\\~ &lt;!here&gt;'],
    ['` {{v | styled}}', '`<!here>`', '\\` `<!here>`'],
    ['`a`{{v | styled}}', '`<!here>`', '`a`&#96;&lt;!here&gt;&#96;'],
    ['{{w | styled}}{{v | styled}}', '`<!here>`', '&#96;&#96;b&#96;&#96;&#96;&lt;!here&gt;&#96;'],
  ])('has nothing escaped inside code, where it surely is code: %j', (text, v, shown) => {
    expect(markdown(text, { v, w: '``b``' })).toBe(shown);
  });

  it('keeps its marks closed where it is shortened', () => {
    for (const [open, close] of [
      ['*', '*'],
      ['`', '`'],
      ['```', '```'],
    ] as const) {
      const text = mrkdwn('{{v | styled}} <https://e.com/1|View>', { v: open + 'x'.repeat(3_100) + close });
      expect(text.startsWith(`${open}xx`)).toBe(true);
      expect(text.endsWith(`x…${close} <https://e.com/1|View>`)).toBe(true);
      expect(text).toHaveLength(3_000);
    }
    const text = markdown('{{v | styled}}\n\n**end**', { v: `\`\`\`\n${'x\n'.repeat(13_000)}\`\`\`` });
    expect(readMarkdown(text).marks).toEqual(['code_block', 'strong']);
  });

  it.each([' ', '\t', '- ', '~~~ x\n', '*a ', '~', '~~~\n~~~~ x\n', '\\', '`\n', '-|'])(
    'is read once however long it is: %j',
    (unit) => {
      const text = markdown('{{v | styled}} end', { v: unit.repeat(100_000) });
      expect(text.endsWith(' end')).toBe(true);
    },
  );

  it('is never cut inside an entity', () => {
    const text = mrkdwn('{{v | styled}}', { v: '&'.repeat(3_100) });
    expect(text).toMatch(/^(&amp;)+…$/);
  });
});

describe('an empty value', () => {
  it.each(['raw', 'styled', 'code', 'link', 'mention', 'channel'])(
    'gives way to a `default` behind the filter `%s`',
    (name) => {
      expect(mrkdwn(`{{v | ${name} | default:"none"}}`, { v: '' })).toBe('none');
    },
  );
});

describe('a mark of a value', () => {
  it.each([
    ['{{v}} ran {{b | code}}', 'it`s', ['code']],
    ['{{v}} is {{none | default:"*free*"}}', '*it', ['bold']],
    ['{{v}} is {{b | styled}}', '*it', []],
    ['{{v}} has {{list | join:" *and* "}}', '*it', ['bold']],
    ['{{v}}, {{list | plural:"_one_","_more_"}}', '_it', ['italic']],
  ])('pairs with none that a later placeholder brings: %s', (text, v, marks) => {
    const read = readMrkdwn(mrkdwn(text, { v, b: 'b', list: [1, 2] }));
    expect(read.marks).toEqual(marks);
    expect(read.text.replaceAll('\u200B', '').replaceAll('\u02CB', '`').startsWith(v)).toBe(true);
  });

  it('stays as it is where none of its kind follows', () => {
    expect(mrkdwn('{{v}} ran {{b | code}} {{b | default:"*none*"}}', { v: '~/bin', b: 'b' })).toBe(
      '~/bin ran `b` b',
    );
    expect(mrkdwn('{{v | default:"*none*"}}', { v: '*.ts' })).toBe('*.ts');
  });
});

describe('a value in a part of a markdown block that looks like another', () => {
  it.each([
    ['a | b\n--|--\n{{v}} | x', 'x|y\nz', 'a | b\n--|--\nx\\|y z | x'],
    ['{{v}} | b\n--|--\na | x', 'x|y', 'x\\|y | b\n--|--\na | x'],
    ['{{v}} | b\n\ntext', 'x|y', 'x|y | b\n\ntext'],
    ['```\n| {{v}} |\n```', 'x|y', '```\n| x|y |\n```'],
  ])('has its bars escaped in a row of a table alone: %j', (text, v, shown) => {
    expect(markdown(text, { v })).toBe(shown);
  });

  it('keeps the title of a definition closed', () => {
    const text = markdown('[the page][1]\n\n[1]: https://e.com/{{v}} "about {{v}}"', { v: 'a "b"' });
    expect(readMarkdown(text)).toEqual({ text: 'the page\n', marks: ['link https://e.com/a%20%22b%22'] });
  });

  it('keeps its lines in a fence of a nested list', () => {
    const text = markdown('- a\n  - b\n    ```\n    {{v}}\n    ```', { v: 'at one\n  at two' });
    expect(text).toBe('- a\n  - b\n    ```\n    at one\n      at two\n    ```');
  });
});

describe('code of several lines', () => {
  it.each([
    ['Log: {{v | code}} end', 'Log: \n```\na\n\nb\n```\n end', ['code_block']],
    [
      '- {{v | code}}\n- second',
      '- ```\n  a\n  \n  b\n  ```\n- second',
      ['list', 'item', 'code_block', 'item'],
    ],
    ['> {{v | code}}\n\nend', '> ```\n> a\n> \n> b\n> ```\n\nend', ['block_quote', 'code_block']],
    ['# {{v | code}}\nend', '# `a b`\nend', ['heading', 'code']],
    ['**{{v | code:"sh"}}** end', '**`a b`** end', ['strong', 'code']],
    ['[{{v | code}}](https://e.com)', '[`a b`](https://e.com)', ['link https://e.com', 'code']],
    ['|x|\n|-|\n|{{v | code}}|', '|x|\n|-|\n|`a b`|', ['code']],
  ])('stays in the part of a markdown block that it stands in: %j', (text, shown, marks) => {
    const written = markdown(text, { v: 'a\n\nb' });
    expect(written).toBe(shown);
    expect(readMarkdown(written).marks).toEqual(marks);
  });

  it('stands in one line between marks of styles of mrkdwn', () => {
    expect(mrkdwn('*{{v | code}}* and {{v | code}}', { v: 'a\nb' })).toBe('*`a b`* and ```\na\nb\n```');
  });
});

describe('a value of several lines', () => {
  it.each([
    ['*{{v}}* end', '*a*\n\n*b* end'],
    ['say *_so {{v}}_* end', 'say *_so a_*\n\n*_b_* end'],
    ['> *{{v}}*', '> *a*\n&gt; \n&gt; *b*'],
    ['`*` {{v}} `*`', '`*` a\n\nb `*`'],
    ['2*{{v}}*3 *c*', '2*a\n\nb*3 *c*'],
    ['<https://e.com/a_b_|x_> {{v}}_', '<https://e.com/a_b_|x_> a\n\nb_'],
  ])('is in the styles of mrkdwn around it, line by line: %j', (text, shown) => {
    expect(mrkdwn(text, { v: 'a\n\nb' })).toBe(shown);
  });

  it('is in the styles of a markdown block paragraph by paragraph', () => {
    expect(markdown('**so {{v}}** end', { v: 'a\nb\n \n\nc\n' })).toBe('**so a\nb**\n\n\n**c** end');
    expect(markdown('~{{v}}~ ~~x~~', { v: 'a\n\nb' })).toBe('~a~\n\n~b~ ~~x~~');
  });

  it('is one line of a row of a table', () => {
    expect(markdown('|x|\n|-|\n|**{{v}}**|', { v: 'a\n\nb|c' })).toBe('|x|\n|-|\n|**a b\\|c**|');
  });
});

describe('marks of the template around an empty value', () => {
  const data = { v: '', w: 'w', space: '  ' };

  it.each([
    ['`{{v}}` and `{{none}}` `x`', ' and  `x`'],
    ['*{{v}}* and *b*', ' and *b*'],
    ['run ```{{v}}``` `{{w}}`', 'run  `w`'],
    ['*`{{v}}{{none}}`* and *{{w}}*', ' and *w*'],
    ['*{{w}}{{v}}* and *{{v}}*.', '*w* and .'],
    ['<https://e.com|*{{v}}* page> *x*', '<https://e.com| page> *x*'],
    ['report_{{v}}_final 2*{{v}}*3', 'report__final 2**3'],
  ])('go with it in mrkdwn, so that they pair with no others: %s', (text, shown) => {
    expect(mrkdwn(text, data)).toBe(shown);
  });

  it.each([
    ['`{{v}}` and `{{none}}` `x`', ' and  `x`'],
    ['a\n\n**{{v}}**\n\n**b**', 'a\n\n\n\n**b**'],
    ['**`{{v}}`** **and** ``{{v}}{{w}}``', ' **and** ``w``'],
    ['\\*{{v}}\\* *{{v}}* _{{w}}_', '\\*\\*  _w_'],
    ['```\n{{v}}\n```\n\n```\n*{{v}}*\n```', '```\n\n```\n\n```\n**\n```'],
  ])('go with it in a markdown block: %j', (text, shown) => {
    expect(markdown(text, data)).toBe(shown);
  });

  it.each([
    ['by <@{{v}}>, <!subteam^{{none}}|@ops> in <#{{v}}>', 'by , @ops in '],
    ['until <!date^{{none}}^{date_short}|soon>', 'until soon'],
    ['<mailto:{{v}}|Mail>, <tel:{{v}}>, <https://{{v}}/{{v}}|Home>', 'Mail, , Home'],
    ['<https://e.com/{{v}}|Shop> <!date^{{w}}^{date}|a{{v}}>', '<https://e.com/|Shop> <!date^w^{date}|a>'],
  ])('go with a mention, a moment and an address that are none without it: %s', (text, shown) => {
    expect(mrkdwn(text, data)).toBe(shown);
  });

  it.each([
    ['<https://e.com|{{v}}> <https://e.com/{{w}}|{{v}}{{none}}>', '<https://e.com> <https://e.com/w>'],
    ['<{{w}}|{{v}}> <{{w}}|{{v}}{{w}}> <{{v}}|{{w}}> <{{v}}|{{none}}>', '<w> <w|w> w '],
    ['<@{{w}}|{{v}}> <!date^{{w}}^{date}|{{v}}>', '<@w> <!date^w^{date}|>'],
  ])('are the bar of a link alone, where its label is empty: %s', (text, shown) => {
    expect(mrkdwn(text, data)).toBe(shown);
  });

  it('are the bar of a link too, where the link is too long', () => {
    const long = 'x'.repeat(4_000);
    expect(mrkdwn('a <https://e.com/{{long}}|{{w}}> b', { ...data, long })).toBe('a w b');
    expect(mrkdwn('a <https://e.com/{{long}}|{{v}}> b', { ...data, long })).toBe('a  b');
  });

  it.each([
    ['[{{v}}](https://e.com/a) [{{v}}{{w}}](https://e.com/a)', 'https://e.com/a [w](https://e.com/a)'],
    [
      '[{{v}}](https://e.com/{{w}} "{{w}}") [{{v}}](<https://e.com/{{w}}>)',
      'https://e.com/w <https://e.com/w>',
    ],
    ['a [{{v}}](https://{{none}}/) [{{w}}](https://{{v}}/) b', 'a  w b'],
    ['![{{v}}](https://e.com/a) [{{v}}]() a', '![](https://e.com/a)  a'],
  ])('are all but the address of a link in a markdown block whose label is empty: %s', (text, shown) => {
    expect(markdown(text, data)).toBe(shown);
  });

  it('are all of a link in a markdown block whose label is empty, where the link is too long', () => {
    const long = 'x'.repeat(13_000);
    expect(markdown('a [{{v}}](https://e.com/{{long}}) b', { ...data, long })).toBe('a  b');
  });

  it('go with such an address in a markdown block', () => {
    expect(markdown('[Mail](mailto:{{v}}) [Home](https://{{v}}/) [x](https://e.com/{{v}})', data)).toBe(
      'Mail Home [x](https://e.com/)',
    );
  });

  it('stay where no others stand in their line', () => {
    expect(mrkdwn('*{{v}}* and `{{v}}`\n*{{w}}*', data)).toBe('** and ``\n*w*');
    expect(markdown('**{{v}}** and `{{v}}`', data)).toBe('**** and ``');
  });

  it('are not counted as shortened where the rest is', () => {
    const { warnings } = compile(
      [{ type: 'section', text: { type: 'mrkdwn', text: '`{{v}}` `x` <{{v}}|x> {{long}}' } }],
      { ...data, long: 'x'.repeat(4_000) },
    );
    expect(warnings.join()).toContain(': `long` is shortened');
  });
});

describe('a value that is a part of an address in a text', () => {
  it.each([
    ['https://e.com/{{v}}', 'src/__init__.py', 'https://e.com/src/__init__.py'],
    ['https://e.com/{{v}}/pulls', '_my_repo_', 'https://e.com/_my_repo_/pulls'],
    ['https://e.com/{{a}}&b={{v}} _c_', '_v_1', 'https://e.com/?a=1&b=_v_1 _c_'],
    ['_https://e.com/{{v}}_', '__init__.py', '_https://e.com/__init__.py_'],
    ['{{v}} and _c_', 'https://e.com/_v_1', 'https://e.com/_v_1 and _c_'],
  ])('keeps its underscores, so that the link leads there: %s', (text, v, shown) => {
    expect(mrkdwn(text, { v, a: '?a=1' })).toBe(shown);
  });

  it.each([
    ['https://e.com/ {{v}}', 'https://e.com/ \u200B_\u200Bv\u200B_\u200B'],
    ['https://e.com/x,*{{v}}*', 'https://e.com/x,*\u200B_\u200Bv\u200B_\u200B*'],
    ['<https://e.com/x|{{v}}>', '<https://e.com/x|\u200B_\u200Bv\u200B_\u200B>'],
    ['<https://e.com/x>{{v}}', '<https://e.com/x>\u200B_\u200Bv\u200B_\u200B'],
  ])('is another text behind its end: %s', (text, shown) => {
    expect(mrkdwn(text, { v: '_v_' })).toBe(shown);
  });
});
