import { optional, required } from '../grammar/object.ts';
import { integer } from '../grammar/scalar.ts';
import type { BlockKind } from './block-kind.ts';
import { plainText } from './composition.ts';
import { summarizeTextBlock } from './summary.ts';

/** A title. */
export const header: BlockKind = {
  type: 'header',
  shape: { fields: { text: required(plainText('header.text')), level: optional(integer('header.level')) } },
  summary: summarizeTextBlock,
};
