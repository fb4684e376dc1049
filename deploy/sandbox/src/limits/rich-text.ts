import { type Check, choice, flag, integer, list, object, type Shape, text, typed } from './checks.ts';
import { url } from './composition.ts';

const style = object({
  optional: {
    bold: flag,
    italic: flag,
    strike: flag,
    code: flag,
    underline: flag,
    highlight: flag,
    client_highlight: flag,
    unlink: flag,
  },
});

function styled(required: Record<string, Check>, optional: Record<string, Check> = {}): Shape {
  return { required, optional: { ...optional, style } };
}

const inline: Record<string, Shape> = {
  text: styled({ text: text() }),
  link: styled({ url }, { text: text({ min: 0 }), unsafe: flag }),
  emoji: styled({ name: text() }, { unicode: text(), url, skin_tone: integer(1, 6) }),
  user: styled({ user_id: text() }),
  usergroup: styled({ usergroup_id: text() }),
  team: styled({ team_id: text() }),
  channel: styled({ channel_id: text() }),
  broadcast: styled({ range: choice('here', 'channel', 'everyone') }),
  date: styled({ timestamp: integer(0), format: text() }, { url, fallback: text() }),
  color: styled({ value: text() }),
};

const anyInline = list(typed(inline), 0);
const border = choice(0, 1);
const section: Shape = { required: { elements: anyInline } };

const parts: Record<string, Shape> = {
  rich_text_section: section,
  rich_text_list: {
    required: {
      elements: list(typed({ rich_text_section: section }), 1),
      style: choice('bullet', 'ordered'),
    },
    optional: { indent: integer(0, 8), offset: integer(0), border },
  },
  rich_text_quote: { required: { elements: anyInline }, optional: { border } },
  rich_text_preformatted: {
    required: { elements: list(typed({ text: styled({ text: text() }), link: inline.link ?? {} }), 0) },
    optional: { border, language: text() },
  },
};

/** Formatted text, as a block and inside other blocks. */
export const richTextShape: Shape = {
  required: { elements: list(typed(parts), 1) },
  optional: { block_id: text({ max: 255 }) },
};

/** A `rich_text` object inside another block. */
export const richText = typed({ rich_text: richTextShape });

/** Initial value of a rich text input: formatted text, or plain text as some clients send it. */
export const richTextInputValue = typed({ rich_text: richTextShape, text: styled({ text: text() }) });
