import { list } from '../grammar/list.ts';
import { required } from '../grammar/object.ts';
import type { BlockKind } from './block-kind.ts';
import { elementOfActions } from './elements/elements.ts';
import { summarizeElements, summarizeNothing } from './summary.ts';

/** A row of buttons, menus and pickers. */
export const actions: BlockKind = {
  type: 'actions',
  shape: { fields: { elements: required(list('actions.elements', { item: elementOfActions })) } },
  summary: summarizeNothing,
  quiet: summarizeElements('elements'),
};
