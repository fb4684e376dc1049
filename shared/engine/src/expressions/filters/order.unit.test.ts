import { describe, expect, it } from '@jest/globals';
import { compile, written as textOf } from '../../testing/compile.ts';
import { filterOrder } from './order.ts';

const markdown = (text: string, data: Record<string, unknown>): string =>
  String(compile([{ type: 'markdown', text }], data).blocks[0]?.text);

describe('filters behind each other', () => {
  it.each(filterOrder)('$written makes $makes: $because', ({ written, value, makes }) => {
    expect(textOf(written, value === undefined ? {} : { v: value })).toBe(makes);
  });

  it.each([
    ['{{v | default:"**none**" | upper}}', {}, '**NONE**'],
    ['{{v | default:" **none** " | trim}}.', {}, '**none**.'],
    ['{{v | default:"**none**" | capitalize}}', { v: '**a**' }, '\\*\\*a\\*\\*'],
    ['{{v | join:" **and** " | capitalize}}', { v: ['a*', 'b*'] }, 'A\\* **and** b\\*'],
    ['{{v | join:" **and** " | truncate:9}}', { v: ['a*', 'b*'] }, 'a\\* **an…'],
    ['{{v | default:"**none**" | json}}', {}, '"\\*\\*none\\*\\*"'],
    ['[{{v | default:"**none**"}}](https://e.com)', {}, '[**none**](https://e.com)'],
    ['`{{v | default:"**none**"}}`', {}, '`**none**`'],
    ['# {{v | default:"**none**\n- at all"}}', {}, '# **none** - at all'],
    ['- {{v | join:"\n- "}}', { v: ['a\nb', 'c'] }, '- a\n  b\n- c'],
    ['|x|\n|-|\n|{{v | default:"a|b\\\\|c"}}|', {}, '|x|\n|-|\n|a\\|b\\|c|'],
  ])('leave words the template’s own in a markdown block: %j', (text, data, shown) => {
    expect(markdown(text, data)).toBe(shown);
  });

  it('leave words the template’s own in the label of a link', () => {
    expect(textOf('<https://e.com|{{v | default:"*none*\n<b>"}}>')).toBe('<https://e.com|*none* &lt;b&gt;>');
  });

  it('make no mention, link or date in the label of a link', () => {
    const data = { v: 'U123', at: '2026-11-21T08:30:00Z', url: 'https://e.com' };
    const text = '<https://e.com|{{v | mention}} {{url | link:"x"}} {{at | chat_date:"{date_short}"}}>';
    expect(String(textOf(text, data))).toMatch(/^<https:\/\/e\.com\|U123 https:\/\/e\.com [^<>]+>$/);
  });
});
