import { optional } from '../grammar/object.ts';
import type { BlockKind } from './block-kind.ts';
import { imageShape, plainText } from './composition.ts';
import { clean, stringIn, textOf } from './summary.ts';

/** A picture with its title. */
export const image: BlockKind = {
  type: 'image',
  shape: { ...imageShape, fields: { ...imageShape.fields, title: optional(plainText('image.title')) } },
  summary: (block) => textOf(block.title) || clean(stringIn(block, 'alt_text')),
};
