import { limits } from '../limits.ts';
import { codePoints, cutText } from './cut.ts';
import { cleanPlain } from './escape.ts';
import { oneLine } from './lines.ts';
import { inBlock, inSpan } from './mrkdwn-values.ts';
import { MarkedText } from './safe-text.ts';

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((longest, [run]) => Math.max(longest, run.length), 0);

const ofMrkdwn = (text: string, isBlock: boolean): string =>
  isBlock ? `\`\`\`\n${inBlock(text)}\n\`\`\`` : `\`${inSpan(text)}\``;

/** Code of CommonMark between more backticks than any run of the text has. */
const ofMarkdown = (text: string, isBlock: boolean, language: string): string => {
  const longest = longestRun(text);
  if (isBlock) {
    const fence = '`'.repeat(Math.max(3, longest + 1));
    return `${fence}${language}\n${text}\n${fence}`;
  }
  const ticks = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
};

/** UTF-16 units of the longest text that a message holds; more are never seen. */
export const LONGEST = 2 * limits['markdown.text'].max;

/**
 * A value as code that it cannot end: in its line, or as a block where it has several lines or a language and may have
 * them. Where there is no room for all of it, the code is shortened and stays closed.
 */
export const codeOf = (
  value: string,
  language: unknown,
  kind: 'mrkdwn' | 'markdown',
  isOneLine: boolean,
): MarkedText | string => {
  // First, since what cannot be posted may stand between two backticks.
  const start = cleanPlain(value.slice(0, LONGEST)).trimEnd();
  const text = isOneLine ? oneLine(start) : start;
  if (text === '') return '';
  const isBlock = !isOneLine && (typeof language === 'string' || /[\r\n\u2028\u2029]/.test(text));
  const write = (shown: string): string =>
    kind === 'mrkdwn'
      ? ofMrkdwn(shown, isBlock)
      : ofMarkdown(shown, isBlock, typeof language === 'string' ? language : '');
  const shorten = (room: number): string => {
    let [fits, high] = [0, room];
    while (fits < high) {
      const middle = (fits + high + 1) >> 1;
      if (codePoints(write(cutText(text, middle, 'plain'))) <= room) fits = middle;
      else high = middle - 1;
    }
    return fits === 0 ? '' : write(cutText(text, fits, 'plain'));
  };
  return new MarkedText(write(text), shorten);
};
