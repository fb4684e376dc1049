import { required } from '../grammar/object.ts';
import { text } from '../grammar/text.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { stringIn } from './summary.ts';

/** What a value holds stands behind backslashes, which mean nothing in mrkdwn, and in code nowhere. */
const escapes = /(?:```|~~~).*?(?:```|~~~)|`[^`]*`|\\([!-/:-@[-`{-~])/gs;

/** A text in standard Markdown. */
export const markdown: BlockKind = {
  type: 'markdown',
  surfaces: ofMessages,
  shape: { fields: { text: required(text('markdown.text', 'markdown', { together: 'markdown' })) } },
  summary: (block) => stringIn(block, 'text').replace(escapes, (whole, mark?: string) => mark ?? whole),
};
