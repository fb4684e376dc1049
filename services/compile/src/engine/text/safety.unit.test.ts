import { describe, expect, it } from '@jest/globals';
import { compile, header, section, written } from '../testing/compile.ts';

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

  it('fill a mention that the template wrote', () => {
    expect(written('<@{{id}}>', { id: 'U1' })).toBe('<@U1>');
  });

  it('are escaped in the fallback text, also those of plain text', () => {
    const { text } = compile([header('{{a}}'), section('{{a}}')], { a: '<!here>' });
    expect(text).toBe('&lt;!here&gt;\n&lt;!here&gt;');
    expect(compile([header('x')], { a: '<!here>' }, { fallbackText: '{{a}}' }).text).toBe('&lt;!here&gt;');
  });

  it('pass as they are through `raw` alone', () => {
    expect(written('{{a | raw}}', { a: '<!here>' })).toBe('<!here>');
  });

  it('are escaped behind a `default` too', () => {
    expect(written('{{a | default:"<!here>"}}')).toBe('&lt;!here&gt;');
  });
});
