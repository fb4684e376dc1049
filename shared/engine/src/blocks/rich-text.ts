import { withId } from '../grammar/block-id.ts';
import { exact } from '../grammar/exact.ts';
import { list } from '../grammar/list.ts';
import { type Field, object, optional, required, type Shape } from '../grammar/object.ts';
import { choice, flag, integer, word } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { type Kind, type Kinds, pick, typed } from '../grammar/typed.ts';

const style = object('style', {
  fields: Object.fromEntries(
    ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'client_highlight', 'unlink'].map(
      (name) => [name, optional(flag)],
    ),
  ),
});

const styled = (fields: Record<string, Field>): { shape: Shape } => ({
  shape: { fields: { ...fields, style: optional(style) } },
});

const literal = (mayBeEmpty = false) => text('rich_text.text', 'plain', { mayBeEmpty });
const address = exact('rich_text.url');

/** What stands in a line of rich text. Nothing in a `text` is read as a mark, so values need no escaping there. */
const inline: Kinds = {
  text: styled({ text: required(literal()) }),
  link: styled({ url: required(address), text: optional(literal(true)), unsafe: optional(flag) }),
  emoji: styled({
    name: required(word),
    unicode: optional(word),
    url: optional(address),
    skin_tone: optional(integer('rich_text.skin_tone')),
  }),
  user: styled({ user_id: required(word) }),
  usergroup: styled({ usergroup_id: required(word) }),
  team: styled({ team_id: required(word) }),
  channel: styled({ channel_id: required(word) }),
  broadcast: styled({ range: required(choice('here', 'channel', 'everyone')) }),
  date: styled({
    timestamp: required(integer()),
    format: required(word),
    url: optional(address),
    fallback: optional(literal()),
  }),
  color: styled({ value: required(word) }),
};

const line = { what: 'rich text element', table: 'rich_text' } as const;
const textOfNote = (given: unknown): unknown => ({ type: 'text', text: given });
const sectionOfNote = (given: unknown): unknown => ({
  type: 'rich_text_section',
  elements: [textOfNote(given)],
});

const inlines = list('rich_text.inline', {
  item: typed(() => inline, line),
  note: textOfNote,
  dropsEmptied: true,
});
const plainInlines = list('rich_text.inline', {
  item: typed(() => pick(inline, 'text', 'link'), line),
  note: textOfNote,
  dropsEmptied: true,
});
const border = optional(choice(0, 1));

// The block tells that it came out empty; its parts need not.
const section: Kinds = {
  rich_text_section: { silent: true, shape: { fields: { elements: required(inlines) } } },
};

const parts: Kinds = {
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

/** Every part and inline element of rich text by its type. */
export const richTextKinds: Kinds = { ...parts, ...inline };

/** Formatted text. */
export const richTextShape: Shape = {
  fields: {
    elements: required(list('rich_text.elements', { item: typed(() => parts, line), note: sectionOfNote })),
  },
};

/** Formatted text with its id, as it stands inside other blocks. */
export const richTextInside: Kind = withId({ shape: richTextShape });

/** Formatted text inside another block. */
export const richText = typed(() => ({ rich_text: richTextInside }), { what: 'block', table: 'blocks' });
