import { describe, expect, it } from '@jest/globals';
import { compile, header, problemsOf, section, written } from '../testing/compile.ts';

const markdown = (text: string) => ({ type: 'markdown', text });

describe('values of the data', () => {
  it('are escaped in mrkdwn', () => {
    expect(written('{{a}}', { a: '<!channel> & <@U1> <https://e.com|x>' })).toBe(
      '&lt;!channel&gt; &amp; &lt;@U1&gt; &lt;https://e.com|x&gt;',
    );
  });

  it('are not escaped in plain text, where nothing is a mark', () => {
    expect(compile([header('{{a}}')], { a: '<b> & c' }).blocks).toEqual([header('<b> & c')]);
  });

  it('make no link of standard markdown', () => {
    const { blocks } = compile([markdown('{{a}}{{b}}')], { a: '[click](https://e.com)', b: '\\[x](y)' });
    expect(blocks).toEqual([markdown('\\[click\\](https://e.com)\\\\\\[x\\](y)')]);
  });

  it.each(['<{{a}}>', '<{{a}}|x>', '<{{none}}{{a}}>', '<{{none}}{{none}}{{a}}|x>'])(
    'turn no mark of the template into a broadcast or mention: %s',
    (text) => {
      for (const a of ['!channel', '!here', '@U1', '#C1', '!subteam^S1']) {
        expect(written(text, { a })).not.toMatch(/<[!@#]/);
      }
    },
  );

  it('fill a link of the template', () => {
    expect(written('<{{url}}#{{part}}|Open>', { url: 'https://e.com/?a=1&b=2', part: 'x' })).toBe(
      '<https://e.com/?a=1&amp;b=2#x|Open>',
    );
  });

  it('fill a mention that the template wrote, with an id and nothing else', () => {
    expect(written('<@{{id}}> in <#{{channel}}|{{name}}>', { id: 'U1', channel: 'C1', name: 'a|b' })).toBe(
      '<@U1> in <#C1|a|b>',
    );
    expect(written('<@{{id}}>', { id: 'U1|all> <!here' })).toBe('<@U1%7Call%26gt%3B%20%26lt%3B!here>');
  });

  it('end no address of the template', () => {
    const given = { path: 'a|Free money', url: 'https://e.com|Free' };
    expect(written('<https://e.com/{{path}}|Shop>', given)).toBe('<https://e.com/a%7CFree%20money|Shop>');
    expect(written('<{{url}}/{{path}}>', given)).toBe('<https://e.com%7CFree/a%7CFree%20money>');
    expect(written('<!date^{{path}}^{date}|then>', { path: '1|x^y' })).toBe('<!date^1%7Cx%5Ey^{date}|then>');
    expect(written('{{path}} 1 < 2 {{path}}', { path: 'a|b' })).toBe('a|b 1 < 2 a|b');
  });

  it.each(['<!{{a}}>', '<!{{a}}|x>', 'to <!sub{{a}}', '<!{{a | upper}}^1>'])(
    'choose no broadcast: the template is refused: %s',
    (text) => {
      expect(problemsOf([section(text)], { a: 'channel' })).toMatchObject([
        { pointer: '/0/text/text', rule: 'placeholder.place', hint: expect.stringContaining('mention') },
      ]);
    },
  );

  it('are escaped in the fallback text, also those of plain text', () => {
    const { text } = compile([header('{{a}}'), section('{{a}}')], { a: '<!here>' });
    expect(text).toBe('&lt;!here&gt;\n&lt;!here&gt;');
    expect(compile([header('x')], { a: '<!here>' }, { fallbackText: '{{a}}' }).text).toBe('&lt;!here&gt;');
  });

  it('leave no half of a link behind when they are too long for it', () => {
    const given = { long: 'x'.repeat(20_000), b: 'b', url: 'https://e.com/' };
    for (const [text, shown] of [
      ['see <https://e.com/{{long}}|the page> now', 'see the page now'],
      ['see <https://e.com/{{long}}?b={{b}}&c={{b}}|the page>', 'see the page'],
      ['see <{{url}}{{long}}|{{b}}> and {{b}}', 'see b and b'],
    ] as const) {
      expect(written(text, given)).toBe(shown);
    }
    expect(written('see <https://e.com|{{long}}{{b}}>', given)).toMatch(/^see <https:\/\/e\.com\|x+…b>$/);
  });

  it.each([
    ['begins', 'a\u202Eb', 'a\u202Eb\u202C'],
    ['begins in each of its lines', '\u202Ea\n\u2068\u202Bb', '\u202Ea\u202C\n\u2068\u202Bb\u202C\u2069'],
    ['ends', '\u202Ca\u2069b\u202C', 'ab'],
    ['begins and ends', '\u2068Ada\u2069 \u202Bb\u202C', '\u2068Ada\u2069 \u202Bb\u202C'],
    ['ends with what is around it', '\u2067a\u202Eb\u2069c\u202C', '\u2067a\u202Eb\u2069c'],
  ])('Values turn no text of the template by a direction that one %s', (_, a, shown) => {
    const { blocks } = compile([section('Pay {{a}} 100'), header('{{a}} 100'), markdown('{{a}} 100')], { a });
    expect(blocks).toEqual([section(`Pay ${shown} 100`), header(`${shown} 100`), markdown(`${shown} 100`)]);
    expect(written('{{a | upper}} `{{a}}` {{a | styled}}', { a: 'x\u202E' })).toBe(
      'X\u202E\u202C `x\u202E\u202C` x\u202E\u202C',
    );
  });

  it('Values keep the marks of directions where a machine reads them, and have none in an address', () => {
    const a = 'x\u202Ey\u200F';
    const button = { type: 'button', text: { type: 'plain_text', text: 'Go' }, action_id: 'go' };
    const made = (more: object) => [{ type: 'actions', elements: [{ ...button, ...more }] }];
    expect(compile(made({ value: '{{a}}', url: 'https://e.com/{{a}}' }), { a }).blocks).toEqual(
      made({ value: a, url: 'https://e.com/x%E2%80%AEy%E2%80%8F' }),
    );
    expect(written('<https://e.com/{{a}}>', { a })).toBe('<https://e.com/x%E2%80%AEy%E2%80%8F>');
  });

  it('Values leave alone the directions that the template begins and ends', () => {
    expect(written('\u2068{{a}}\u2069 {{b | join:"\u2069, \u2068"}}', { a: '\u2069b', b: ['c', 'd'] })).toBe(
      '\u2068b\u2069 c\u2069, \u2068d',
    );
  });

  it('Values in bold end with their words, also where spaces stand before what cannot be posted', () => {
    const a = 'late \0\u2069';
    expect(written('*{{a}}*', { a })).toBe('*late*');
    expect(written('*{{a | styled}}*', { a })).toBe('*late*');
    expect(compile([{ type: 'markdown', text: '**{{a}}** **{{a | styled}}**' }], { a }).blocks).toEqual([
      { type: 'markdown', text: '**late** **late**' },
    ]);
  });

  it('pass as they are through `raw` alone', () => {
    expect(written('{{a | raw}}', { a: '<!here>' })).toBe('<!here>');
  });

  it('are escaped behind a `default` too', () => {
    expect(written('{{a | default:"<!here>"}}')).toBe('&lt;!here&gt;');
  });
});
