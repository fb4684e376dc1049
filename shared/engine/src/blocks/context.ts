import { list } from '../grammar/list.ts';
import { required } from '../grammar/object.ts';
import type { BlockKind } from './block-kind.ts';
import { textNote } from './composition.ts';
import { elementOfContext } from './elements/elements.ts';
import { clean, listIn, stringIn, textOf } from './summary.ts';

/** A line of small texts and pictures. */
export const context: BlockKind = {
  type: 'context',
  shape: {
    fields: { elements: required(list('context.elements', { item: elementOfContext, note: textNote })) },
  },
  summary: (block) => {
    let line = '';
    for (const element of listIn(block, 'elements')) {
      const said = textOf(element) || clean(stringIn(element, 'alt_text'));
      line = line === '' ? said : `${line} ${said}`;
    }
    return line;
  },
};

/** The block around the note that a list of blocks has more items than are shown. */
export const blockNote = (given: unknown): unknown => ({ type: 'context', elements: [textNote(given)] });
