import { required } from '../grammar/object.ts';
import { text } from '../grammar/text.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { clean, stringIn } from './summary.ts';

/** The marks of quotes and list items that a line begins with. */
const container = String.raw`[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+[ \t>]*)*`;
/** A block of code between fences, or up to the end of the text. */
const fenced = String.raw`(?<=^|\n)${container}(?<fence>\`{3,}(?=[^\`\n]*(?:\n|$))|~{3,})[^\n]*(?:\n.*?)??(?:\n[ \t>]*\k<fence>[\`~]*[ \t]*(?=\n|$)|$)`;
/** Code in a line. */
const span = String.raw`(?<!\`)(?<ticks>\`+)(?!\`).*?(?<!\`)\k<ticks>(?!\`)`;
/** A line that no paragraph goes on behind: a blank one, a heading, a rule or a fence. */
const end = String.raw`(?:^|\n)(?:[ \t]*| {0,3}#[^\n]*|[ \t>]*[-=*_\`~ \t]{3,})\n`;
/** Lines of four spaces that may be code. */
const indented = String.raw`(?<=^|\n)(?= {4}|\t)(?<=^|${end})[^\n]*(?:\n(?: {4}|\t)[^\n]*)*`;
const escaped = String.raw`\\(?<mark>[!-/:-@[-\`{-~])`;
const read = new RegExp(`(?<code>${fenced}|${span})|(?<indented>${indented})|${escaped}`, 'gs');

const rewrite = (text: string): string => {
  let said = '';
  let behind = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(read)) {
    said += text.slice(behind, index);
    behind = index + whole.length;
    if (groups.code !== undefined) said += clean(whole);
    // In a list such lines are text, whose values are escaped already.
    else if (groups.indented !== undefined) said += whole.replaceAll('<', '&lt;');
    else said += groups.mark ?? whole;
  }
  return said + text.slice(behind);
};

/**
 * The text of a block in mrkdwn: what a value holds stands behind backslashes, which mean nothing there, and in code as
 * it is, which would make marks of it.
 */
const inMrkdwn = (text: string): string => (/[\\`~]| {4}|\t/.test(text) ? rewrite(text) : text);

/** A text in standard Markdown. */
export const markdown: BlockKind = {
  type: 'markdown',
  surfaces: ofMessages,
  shape: { fields: { text: required(text('markdown.text', 'markdown', { together: 'markdown' })) } },
  summary: (block) => inMrkdwn(stringIn(block, 'text')),
};
