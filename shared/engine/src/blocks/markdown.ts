import { required } from '../grammar/object.ts';
import { text } from '../grammar/text.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { stringIn } from './summary.ts';

/** A text in standard Markdown. */
export const markdown: BlockKind = {
  type: 'markdown',
  surfaces: ofMessages,
  shape: { fields: { text: required(text('markdown.text', 'markdown', { together: 'markdown' })) } },
  // What a value holds stands behind backslashes, which mean nothing in mrkdwn.
  summary: (block) => stringIn(block, 'text').replace(/\\([!-/:-@[-`{-~])/g, '$1'),
};
