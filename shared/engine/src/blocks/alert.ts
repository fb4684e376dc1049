import { optional, required } from '../grammar/object.ts';
import { choice } from '../grammar/scalar.ts';
import { type BlockKind, ofViews } from './block-kind.ts';
import { anyText } from './composition.ts';
import { summarizeTextBlock } from './summary.ts';

/** A text that warns. */
export const alert: BlockKind = {
  type: 'alert',
  surfaces: ofViews,
  shape: {
    fields: {
      text: required(anyText('alert.text')),
      level: optional(choice('default', 'info', 'warning', 'error', 'success')),
    },
  },
  summary: summarizeTextBlock,
};
