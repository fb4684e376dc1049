import { id } from '../spec/id.ts';
import { list } from '../spec/list.ts';
import { optional, required } from '../spec/object.ts';
import { atLeastOneOf, sameIfBoth } from '../spec/rules.ts';
import { flag } from '../spec/scalar.ts';
import type { Spec } from '../spec/spec.ts';
import { text } from '../spec/text.ts';
import { type Kind, type Kinds, typed } from '../spec/typed.ts';
import { anyText, imageShape, plainText, textItem, textNote } from './composition.ts';
import { accessories, elementsOfActions, elementsOfContext } from './elements.ts';
import { richTextShape } from './rich-text.ts';
import {
  type Summary,
  summarizeContext,
  summarizeImage,
  summarizeMarkdown,
  summarizeNothing,
  summarizeRichText,
  summarizeSection,
  summarizeTextBlock,
} from './summaries.ts';

/** A block type of the catalogue. */
export interface BlockKind extends Kind {
  /** What the fallback text says of a compiled block. */
  readonly summary: Summary;
}

const element = { what: 'element' };

/** Every block type: its keys, their limits, where it may stand, and what the fallback text says of it. */
export const blockTypes: Readonly<Record<string, BlockKind>> = {
  header: {
    shape: { fields: { text: required(plainText('header.text')) } },
    summary: summarizeTextBlock,
  },
  section: {
    shape: {
      fields: {
        text: optional(anyText('section.text')),
        fields: optional(list('section.fields', { item: textItem('section.field'), note: textNote })),
        accessory: optional(typed(accessories, element)),
        expand: optional(flag),
      },
      rules: [atLeastOneOf('text', 'fields')],
    },
    summary: summarizeSection,
  },
  divider: { shape: { fields: {} }, summary: summarizeNothing },
  image: {
    shape: { ...imageShape, fields: { ...imageShape.fields, title: optional(plainText('image.title')) } },
    summary: summarizeImage,
  },
  context: {
    shape: {
      fields: {
        elements: required(
          list('context.elements', { item: typed(elementsOfContext, element), note: textNote }),
        ),
      },
    },
    summary: summarizeContext,
  },
  actions: {
    shape: {
      fields: { elements: required(list('actions.elements', { item: typed(elementsOfActions, element) })) },
    },
    summary: summarizeNothing,
  },
  rich_text: { shape: richTextShape, summary: summarizeRichText },
  markdown: {
    surfaces: ['message'],
    shape: { fields: { text: required(text('markdown.text', 'markdown', { total: 'markdown.total' })) } },
    summary: summarizeMarkdown,
  },
};

const blockId = id('block.block_id');

const withId = ({ shape, ...kind }: BlockKind): Kind => ({
  ...kind,
  shape: {
    // Templates say `id`; native messages say `block_id`, and so does the output.
    fields: { id: { ...optional(blockId), as: 'block_id' }, block_id: optional(blockId), ...shape.fields },
    rules: [sameIfBoth('id', 'block_id'), ...(shape.rules ?? [])],
  },
});

const kindsOfBlocks: Kinds = Object.fromEntries(
  Object.entries(blockTypes).map(([type, kind]) => [type, withId(kind)]),
);

/** A block of a template. */
export const block: Spec = typed(() => kindsOfBlocks, {
  what: 'block',
  refused: { file: 'The platform lets no app post a `file` block; link the file in a section instead.' },
});

/** Around the text that there are more items than are shown. */
const blockNote = (given: unknown): unknown => ({ type: 'context', elements: [textNote(given)] });

/** The blocks of a message. */
export const messageBlocks: Spec = list('message.blocks', { item: block, note: blockNote });
/** The blocks of a modal view. */
export const viewBlocks: Spec = list('view.blocks', { item: block, note: blockNote });
