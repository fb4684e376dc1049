import { withId } from '../grammar/block-id.ts';
import { exact } from '../grammar/exact.ts';
import { list } from '../grammar/list.ts';
import { type Field, object, optional, required, type Shape } from '../grammar/object.ts';
import { choice, flag, integer, personId, word } from '../grammar/scalar.ts';
import { text } from '../grammar/text.ts';
import { type Kind, type Kinds, pick, typed } from '../grammar/typed.ts';
import { isObject, type JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { made } from '../parse/node.ts';
import { UnknownPerson } from '../run/people.ts';
import { spendOutput } from '../run/run.ts';
import type { BlockKind } from './block-kind.ts';
import { clean, joinSaid, listIn, type Summary, stringIn } from './summary.ts';

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

/** A mention of a person who is not known becomes a text, the address that was to be looked up. */
const userOrAddress: NonNullable<Kind['around']> = (value, context, parser) => {
  const node = parser(value, context);
  if (node === undefined || node.fixed) return node;
  return made((run) => {
    const user = node.make(run);
    if (!isObject(user) || !(user.user_id instanceof UnknownPerson)) return user;
    const { type: _, user_id: person, ...more } = user;
    person.tell(run, 'the address stands there as text');
    run.text += person.address.length;
    spendOutput(run, 0, person.address.length);
    return { type: 'text', text: person.address, ...more };
  });
};

/** Elements of a line of rich text. A `text` has no marks, so values need no escaping there. */
const inline: Kinds = {
  text: styled({ text: required(literal()) }),
  link: styled({ url: required(address), text: optional(literal(true)), unsafe: optional(flag) }),
  emoji: styled({
    name: required(word),
    unicode: optional(word),
    url: optional(address),
    skin_tone: optional(integer('rich_text.skin_tone')),
  }),
  user: { ...styled({ user_id: required(personId) }), around: userOrAddress },
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
export const richTextKinds: Kinds = { ...outer, ...inline };

const richTextShape: Shape = {
  fields: {
    elements: required(list('rich_text.elements', { item: typed(() => outer, line), note: sectionOfNote })),
  },
};

/** Formatted text with its id, as it stands inside other blocks. */
export const richTextInside: Kind = withId({ shape: richTextShape });

/** Formatted text inside another block. */
export const richText = typed(() => ({ rich_text: richTextInside }), { what: 'block', table: 'blocks' });

const inlineText: Record<string, (element: JsonObject) => string> = {
  text: (element) => clean(stringIn(element, 'text')),
  link: (element) => clean(stringIn(element, 'text') || stringIn(element, 'url')),
  emoji: (element) => clean(`:${stringIn(element, 'name')}:`),
  // The blocks mention; a second mention in the fallback text would say it twice.
  user: () => '@…',
  usergroup: () => '@…',
  channel: () => '#…',
  broadcast: (element) => clean(`@${stringIn(element, 'range')}`),
  date: (element) => clean(stringIn(element, 'fallback')),
  color: (element) => clean(stringIn(element, 'value')),
};

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
    .map((inner) => (isObject(inner) ? (inlineText[stringIn(inner, 'type')]?.(inner) ?? '') : ''))
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
