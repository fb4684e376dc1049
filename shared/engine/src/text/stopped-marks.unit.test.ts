import { describe, expect, it } from '@jest/globals';
import { compile, written } from '../testing/compile.ts';
import { readMarkdown, textOutside } from '../testing/markdown-reader.ts';
import { readMrkdwn } from '../testing/mrkdwn-reader.ts';
import { shortenMarked } from './styled.ts';

const markdown = (text: string, data: Record<string, unknown>): string =>
  String(compile([{ type: 'markdown', text }], data).blocks[0]?.text);
const marksOf = (text: string, data: Record<string, unknown>): readonly string[] =>
  readMarkdown(markdown(text, data)).marks;
const mrkdwn = (text: string, data: Record<string, unknown>): string => String(written(text, data));

describe('what cannot be posted, in front of a value', () => {
  it.each(['\0', '\uD800', '\uDC00', '\u2069', '\u202C'])(
    'What cannot be posted hides no broadcast in a link of mrkdwn: %j',
    (odd) => {
      for (const text of ['<{{v}}|l>', '<{{v}}>', '<{{w}}{{v}}|l>', '<{{v}} l'])
        expect(mrkdwn(text, { v: `${odd}!here`, w: odd })).not.toContain('<!here');
    },
  );
});

describe('code and lines of a value', () => {
  it.each(['\0', '\uD800', '\u2069'])(
    'A value ends no code where what cannot be posted parts its backticks: %j',
    (odd) => {
      const v = `\`${odd}\`<!here>\`\`${odd}\`<!here>`;
      for (const text of ['`{{v}}`', '```\n{{v}}\n```', '{{v | code}}', '{{v | code:"sh"}}'])
        expect(textOutside(markdown(text, { v }), 'code', 'code_block')).not.toContain('here');
      for (const text of ['```{{v}}```', '{{v | code:"sh"}}'])
        expect(readMrkdwn(mrkdwn(text, { v })).marks).toEqual(['block']);
    },
  );

  it.each(['``x``', '````', '`a\nb`', '```a````'])(
    'A styled value leaves no backtick open for the text behind it in mrkdwn: %j',
    (v) => {
      const { marks } = readMrkdwn(mrkdwn('{{v | styled}} so <https://e.com|l> `c`', { v }));
      expect(marks.slice(-2)).toEqual(['link https://e.com', 'code']);
    },
  );

  it.each(['{{v | code}} b', '`{{v}}` b'])(
    'A value begins no block of code at a separator of lines: %s',
    (text) => {
      expect(marksOf(`${text}\n\n**c**`, { v: '```\u2028x' }).at(-1)).toBe('strong');
    },
  );

  it('A value that is shortened closes no mark that has been stopped', () => {
    expect(shortenMarked('a\u200B*\u200B b c d', 7, 'mrkdwn')).toBe('a\u200B*\u200B b…');
  });
});
