import { list } from '../grammar/list.ts';
import { optional } from '../grammar/object.ts';
import { atLeastOneOf } from '../grammar/rules.ts';
import { flag } from '../grammar/scalar.ts';
import { isList } from '../json.ts';
import type { BlockKind } from './block-kind.ts';
import { anyText, textItem, textNote } from './composition.ts';
import { accessory } from './elements/elements.ts';
import { joinSaid, textOf } from './summary.ts';

/** A text, fields in two columns, and an element next to them. */
export const section: BlockKind = {
  type: 'section',
  shape: {
    fields: {
      text: optional(anyText('section.text')),
      fields: optional(list('section.fields', { item: textItem('section.field'), note: textNote })),
      accessory: optional(accessory),
      expand: optional(flag),
    },
    rules: [atLeastOneOf('text', 'fields')],
  },
  summary: ({ text, fields }) =>
    isList(fields) ? joinSaid([text, ...fields].map(textOf), '\n') : textOf(text),
};
