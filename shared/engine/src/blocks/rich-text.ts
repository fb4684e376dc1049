import { withId } from '../grammar/block-id.ts';
import { list } from '../grammar/list.ts';
import { optional, required, type Shape } from '../grammar/object.ts';
import { choice, integer, word } from '../grammar/scalar.ts';
import { type Kind, type Kinds, pick, typed } from '../grammar/typed.ts';
import { isObject } from '../json.ts';
import { limits } from '../limits.ts';
import type { BlockKind } from './block-kind.ts';
import { inlineKinds, inlineText } from './rich-text-inline.ts';
import { joinSaid, listIn, type Summary, stringIn } from './summary.ts';

const line = { what: 'rich text element', table: 'rich_text' } as const;
const textOfNote = (given: unknown): unknown => ({ type: 'text', text: given });
const sectionOfNote = (given: unknown): unknown => ({
  type: 'rich_text_section',
  elements: [textOfNote(given)],
});

const inlines = list('rich_text.inline', {
  item: typed(() => inlineKinds, { ...line, open: true }),
  note: textOfNote,
  dropsEmptied: true,
});
const plainInlines = list('rich_text.inline', {
  item: typed(() => pick(inlineKinds, 'text', 'link'), line),
  note: textOfNote,
  dropsEmptied: true,
});
const border = optional(choice(0, 1));

// The block reports that it came out empty, so its elements do not.
const section: Kinds = {
  rich_text_section: { silent: true, shape: { fields: { elements: required(inlines) } } },
};

const outer: Kinds = {
  ...section,
  rich_text_list: {
    silent: true,
    shape: {
      fields: {
        elements: required(
          list('rich_text.elements', { item: typed(() => section, line), note: sectionOfNote }),
        ),
        style: required(choice('bullet', 'ordered')),
        indent: optional(integer('rich_text.indent')),
        offset: optional(integer()),
        border,
      },
    },
  },
  rich_text_quote: { silent: true, shape: { fields: { elements: required(inlines), border } } },
  rich_text_preformatted: {
    silent: true,
    shape: { fields: { elements: required(plainInlines), border, language: optional(word) } },
  },
};

/** Every element of rich text by its type, inline elements included. */
export const richTextKinds: Kinds = { ...outer, ...inlineKinds };

const richTextShape: Shape = {
  fields: {
    elements: required(list('rich_text.elements', { item: typed(() => outer, line), note: sectionOfNote })),
  },
};

/** Formatted text with its id, as it stands inside other blocks. */
export const richTextInside: Kind = withId({ shape: richTextShape });

/** Formatted text inside another block. */
export const richText = typed(() => ({ rich_text: richTextInside }), { what: 'block', table: 'blocks' });

/** Characters after which the rest of a list is not read: text beyond the limit is cut anyway. */
const enough = 2 * limits['message.text'].max;

const summarizeRichList = (list: unknown): string => {
  let said = '';
  for (const item of listIn(list, 'elements')) {
    const line = `• ${summarizeElement(item)}`;
    said = said === '' ? line : `${said}\n${line}`;
    if (said.length > enough) break;
  }
  return said;
};

const summarizeElement = (element: unknown): string => {
  const type = stringIn(element, 'type');
  if (type === 'rich_text_list') return summarizeRichList(element);
  return listIn(element, 'elements')
    .map((inner) => (isObject(inner) ? inlineText(inner) : ''))
    .join('');
};

/** The plain text of rich text. */
export const summarizeRichText: Summary = (block) =>
  joinSaid(listIn(block, 'elements').map(summarizeElement), '\n');

/** Formatted text as a block. */
export const richTextBlock: BlockKind = {
  type: 'rich_text',
  shape: richTextShape,
  summary: summarizeRichText,
};
