import { describe, expect, it } from '@jest/globals';
import { codePoints, cutText, isLonger } from './cut.ts';

describe('cutting a text', () => {
  it('leaves one that fits as it is, also when it has the limit’s length', () => {
    expect(cutText('abc', 3, 'mrkdwn')).toBe('abc');
    expect(cutText('😀😀😀', 3, 'plain')).toBe('😀😀😀');
  });

  it('ends in … at the limit', () => {
    expect(cutText('x'.repeat(10_000), 3_000, 'mrkdwn')).toBe(`${'x'.repeat(2_999)}…`);
  });

  it.each([
    ['a surrogate pair', 'ab😀😀', 4, 'ab😀😀'],
    ['a surrogate pair', 'ab😀😀😀', 4, 'ab😀…'],
    ['a family of emoji', 'ab👨‍👩‍👧 and more', 5, 'ab…'],
    ['a family of emoji at the start', '👨‍👩‍👧 and more', 3, '…'],
    ['a flag', 'ab🇩🇪 more', 4, 'ab…'],
    ['a letter with its accent', 'abcde\u0301fg', 6, 'abcd…'],
    ['a line end', 'abc\r\ndefg', 5, 'abc…'],
  ])('never inside %s', (_, text, max, expected) => {
    expect(cutText(text, max, 'plain')).toBe(expected);
  });

  it.each([
    ['a link', 'see <https://example.com|the page> now', 20, 'see …'],
    ['a mention', 'ask <@U0ADA> about it', 8, 'ask …'],
    ['an escaped mark', 'a &lt; b &amp; c', 12, 'a &lt; b …'],
    ['an emoji', 'done :white_check_mark: today', 12, 'done …'],
    ['an emoji with a skin tone', 'hi :wave::skin-tone-3: you', 14, 'hi …'],
  ])('never inside %s', (_, text, max, expected) => {
    expect(cutText(text, max, 'mrkdwn')).toBe(expected);
  });

  it('keeps an entity that ends right before the cut', () => {
    expect(cutText('a <@U1> and more', 8, 'mrkdwn')).toBe('a <@U1>…');
  });

  it('takes a lone < for a character', () => {
    expect(cutText('1 < 2 and more', 8, 'mrkdwn')).toBe('1 < 2 a…');
  });

  it('cuts a text that is one endless grapheme inside it', () => {
    const zalgo = `a${'\u0301'.repeat(50_000)}`;
    const cut = cutText(zalgo, 100, 'plain');
    expect(codePoints(cut)).toBe(100);
  });

  it('counts code points', () => {
    expect(codePoints('a😀b\ud800')).toBe(4);
    expect(isLonger('😀'.repeat(150), 150)).toBe(false);
    expect(isLonger('😀'.repeat(151), 150)).toBe(true);
  });
});
