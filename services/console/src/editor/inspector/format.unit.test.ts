import { describe, expect, it } from '@jest/globals';
import { type Format, formatted, inserted, type Mark } from './format.ts';

const deploy = { text: 'Deploy of billing', from: 10, to: 17 };
const made = (mark: Mark, format: Format) => formatted(deploy, mark, format).text;

describe('the formats of a text', () => {
  it('use the marks of the text’s own language', () => {
    expect(made('bold', 'mrkdwn')).toBe('Deploy of *billing*');
    expect(made('bold', 'markdown')).toBe('Deploy of **billing**');
    expect(made('strike', 'markdown')).toBe('Deploy of ~~billing~~');
    expect(made('link', 'mrkdwn')).toBe('Deploy of <https://|billing>');
    expect(made('link', 'markdown')).toBe('Deploy of [billing](https://)');
    expect(made('quote', 'mrkdwn')).toBe('> Deploy of billing');
  });

  it('disappear when a formatted text is formatted again', () => {
    const bold = formatted(deploy, 'bold', 'mrkdwn');
    expect(formatted(bold, 'bold', 'mrkdwn')).toEqual(deploy);
    const lines = { text: 'a\nb', from: 0, to: 3 };
    const list = formatted(lines, 'list', 'mrkdwn');
    expect(list.text).toBe('• a\n• b');
    expect(formatted(list, 'list', 'mrkdwn').text).toBe('a\nb');
  });

  it('leave the address of a link marked, to be written', () => {
    for (const format of ['mrkdwn', 'markdown'] as const) {
      const { text, from, to } = formatted(deploy, 'link', format);
      expect(text.slice(from, to)).toBe('https://');
    }
  });

  it('put an emoji or a mention in the place of what is marked', () => {
    expect(inserted(deploy, ':tada:')).toEqual({ text: 'Deploy of :tada:', from: 16, to: 16 });
  });
});
