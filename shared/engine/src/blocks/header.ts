import { required } from '../grammar/object.ts';
import type { BlockKind } from './block-kind.ts';
import { plainText } from './composition.ts';
import { summarizeTextBlock } from './summary.ts';

/** A title. */
export const header: BlockKind = {
  type: 'header',
  shape: { fields: { text: required(plainText('header.text')) } },
  summary: summarizeTextBlock,
};
