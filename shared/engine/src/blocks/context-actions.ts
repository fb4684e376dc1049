import { list } from '../grammar/list.ts';
import { required } from '../grammar/object.ts';
import { type BlockKind, ofMessages } from './block-kind.ts';
import { elementOfContextActions } from './elements/elements.ts';
import { summarizeElements, summarizeNothing } from './summary.ts';

/** Small buttons below a message. */
export const contextActions: BlockKind = {
  type: 'context_actions',
  surfaces: ofMessages,
  shape: {
    fields: { elements: required(list('context_actions.elements', { item: elementOfContextActions })) },
  },
  summary: summarizeNothing,
  quiet: summarizeElements('elements'),
};
