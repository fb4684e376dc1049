import { required } from '../grammar/object.ts';
import { text } from '../grammar/text.ts';
import { scanMarkdown } from '../text/markdown-scan.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { clean, stringIn } from './summary.ts';

/** Without these a text has no code and nothing behind a backslash. */
const mayHaveCode = /[\\`~]| {4}|\t/;
const special = /[<>&\\]/g;
const escaped = /^\\([!-/:-@[-`{-~])/;

/**
 * The text of a block in mrkdwn: what a value holds stands behind backslashes, which mean nothing there, and in code as
 * it is, which would make marks of it. Where its code is says what found the places of the values too.
 */
const inMrkdwn = (text: string): string => {
  if (!mayHaveCode.test(text)) return text;
  const places = [...text.matchAll(special)].map(({ index }) => index);
  const { positions } = scanMarkdown(text, places);
  let said = '';
  let behind = 0;
  for (const [number, at] of places.entries()) {
    // Written with the backslash before it.
    if (at < behind) continue;
    const isCode = positions[number]?.name.startsWith('markdown.code') === true;
    const mark = isCode ? undefined : escaped.exec(text.slice(at, at + 2))?.[1];
    const written = isCode ? clean(text.charAt(at)) : mark === undefined ? text.charAt(at) : clean(mark);
    said += text.slice(behind, at) + written;
    behind = at + (mark === undefined ? 1 : 2);
  }
  return said + text.slice(behind);
};

/** A text in standard Markdown. */
export const markdown: BlockKind = {
  type: 'markdown',
  surfaces: ofMessages,
  shape: { fields: { text: required(text('markdown.text', 'markdown', { together: 'markdown' })) } },
  summary: (block) => inMrkdwn(stringIn(block, 'text')),
};
