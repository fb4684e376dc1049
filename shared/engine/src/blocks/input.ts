import { optional, required } from '../grammar/object.ts';
import { flag } from '../grammar/scalar.ts';
import type { BlockKind } from './block-kind.ts';
import { plainText } from './composition.ts';
import { elementOfInput } from './elements/elements.ts';
import { textOf } from './summary.ts';

/** A question with the element that takes its answer. */
export const input: BlockKind = {
  type: 'input',
  shape: {
    fields: {
      label: required(plainText('input.label')),
      element: required(elementOfInput),
      hint: optional(plainText('input.hint')),
      optional: optional(flag),
      dispatch_action: optional(flag),
    },
  },
  summary: (block) => textOf(block.label),
};
