import { describeShape, inlineKinds, isKnownType, mayBeNew } from '@stanza/engine/platform';
import { type Check, choice, integer, isJsonObject, list, pick, type Shape, text, typed } from './checks.ts';
import { maxOf, shapeOf } from './table.ts';

/** Elements of a line, with their keys and lists as the engine’s table has them. */
const inline: Record<string, Shape> = Object.fromEntries(
  Object.entries(inlineKinds).map(([type, { shape }]) => [type, shapeOf(describeShape(shape))]),
);

/** A type that no table knows may be newer than the tables: it is taken as it is. */
const newer: Check = (value, pointer, report) => {
  const type = isJsonObject(value) ? String(value.type) : '';
  if (isKnownType(type) || !mayBeNew(type, Object.keys(inline)))
    report(`${pointer}/type`, `unsupported type: ${type}`);
};

const anyInline = list(typed(inline, newer), 0);
const border = choice(0, 1);
const section: Shape = { required: { elements: anyInline } };

const parts: Record<string, Shape> = {
  rich_text_section: section,
  rich_text_list: {
    required: {
      elements: list(typed({ rich_text_section: section }), 1),
      style: choice('bullet', 'ordered'),
    },
    optional: { indent: integer(0, maxOf('rich_text.indent')), offset: integer(0), border },
  },
  rich_text_quote: { required: { elements: anyInline }, optional: { border } },
  rich_text_preformatted: {
    required: { elements: list(typed(pick(inline, 'text', 'link')), 0) },
    optional: { border, language: text() },
  },
};

/** Formatted text, as a block and inside other blocks. */
export const richTextShape: Shape = {
  required: { elements: list(typed(parts), 1) },
  optional: { block_id: text({ max: maxOf('block.block_id') }) },
};

/** A `rich_text` object inside another block. */
export const richText = typed({ rich_text: richTextShape });

/** Initial value of a rich text input: formatted text, or plain text as some clients send it. */
export const richTextInputValue = typed({ rich_text: richTextShape, text: { required: { text: text() } } });
