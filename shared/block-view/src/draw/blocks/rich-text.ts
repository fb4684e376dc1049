import { nameOf, type ViewContext } from '../../context.ts';
import { emojiCharacter } from '../../text/emoji.ts';
import type {
  RichText,
  RichTextLeaf,
  RichTextLeaves,
  RichTextSection,
  RichTextSections,
} from '../../types/text.ts';
import { type Child, el, link } from '../dom.ts';
import { drawDate, drawEmoji, mention } from '../text.ts';

function drawColor({ value }: RichTextLeaves['color']): HTMLElement {
  const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  // Set as a property: the value is one colour or nothing, whatever else the text holds.
  swatch.style.backgroundColor = value;
  return el('span', { class: 'color' }, swatch, value);
}

/** A reference to something of the workspace: a link where the text says where it is, else its name. */
function drawReference(mark: string, name: string, url?: string): HTMLElement {
  const words = `${mark} ${name}`;
  return url === undefined
    ? mention(words, 'reference')
    : link(url, { class: 'mention mention-reference' }, words);
}

/** The colours of tags; one that is not among them is gray. */
const tagColors = new Set(['brown', 'purple', 'indigo', 'blue', 'green', 'yellow', 'orange', 'red']);

const leaves: { [T in keyof RichTextLeaves]: (leaf: RichTextLeaf<T>, context: ViewContext) => Child } = {
  text: ({ text }) => text,
  link: ({ url, text }) => link(url, {}, text === undefined || text === '' ? url : text),
  emoji: ({ name }) => {
    const character = emojiCharacter(name);
    return character === undefined ? `:${name}:` : drawEmoji(name, character);
  },
  user: ({ user_id }, context) => mention(`@${nameOf(context, user_id)}`),
  usergroup: ({ usergroup_id }) => mention(`@${usergroup_id}`),
  team: ({ team_id }) => mention(`@${team_id}`),
  channel: ({ channel_id }, context) => mention(`#${nameOf(context, channel_id)}`),
  broadcast: ({ range }) => mention(`@${range}`, 'broadcast'),
  date: ({ timestamp, format, url, fallback }, context) =>
    drawDate({ timestamp, pattern: format, url, fallback }, context),
  color: drawColor,
  tag: ({ text, color = '' }) =>
    el('span', { class: `tag tag-${tagColors.has(color) ? color : 'gray'}` }, text),
  attachment_mention: ({ text, url }) => drawReference('🔗', text ?? url, url),
  canvas: ({ label, text, url, file_id }) => drawReference('📄', label ?? text ?? file_id, url),
  canvas_user_mention: ({ user_id }, context) => mention(`@${nameOf(context, user_id)}`),
  canvas_message_unfurl: ({ root_message_channel: channel }, context) =>
    drawReference('💬', `message in #${nameOf(context, channel)}`),
  citation: ({ url, text, index }) => el('sup', {}, link(url, { title: text }, `[${index}]`)),
  file: ({ text, url, file_id }) => drawReference('📎', text ?? file_id, url),
  list_record: ({ text, url, file_id }) => drawReference('📋', text ?? file_id, url),
  message_mention: ({ text, url, channel_id }, context) =>
    drawReference('💬', text ?? `message in #${nameOf(context, channel_id)}`, url),
  salesforce_data_field: ({ salesforce_field_label: label, salesforce_record_id: id }) =>
    drawReference('☁️', label ?? id),
  work_object_mention: ({ text, url, entity_id }) => drawReference('🔗', text ?? entity_id, url),
  workflow_mention: ({ text, url, workflow_id }) => drawReference('⚡', text ?? workflow_id, url),
};

/** The types of inline elements of rich text that can be drawn. */
export const drawnLeafTypes: readonly string[] = Object.keys(leaves);

const styleTags = [
  ['code', 'code'],
  ['bold', 'strong'],
  ['italic', 'em'],
  ['strike', 's'],
  ['underline', 'u'],
] as const;

function drawLeaf<T extends keyof RichTextLeaves>(leaf: RichTextLeaf<T>, context: ViewContext): Child {
  const isKnown = Object.hasOwn(leaves, leaf.type);
  const plain = isKnown ? leaves[leaf.type](leaf, context) : unknownPart(leaf.type);
  return styleTags
    .filter(([style]) => leaf.style?.[style] === true)
    .reduce<Child>((content, [, tag]) => el(tag, {}, content), plain);
}

function unknownPart(type: string): Child {
  return el('span', { class: 'unknown-block' }, `Rich text type ${type}`);
}

function drawLeaves(elements: readonly RichTextLeaf[], context: ViewContext): Child {
  return elements.map((leaf) => drawLeaf(leaf, context));
}

function drawList(
  { elements, style, indent = 0, offset = 0 }: RichTextSections['rich_text_list'],
  context: ViewContext,
): Child {
  const items = elements.map((section) => el('li', {}, drawLeaves(section.elements, context)));
  const attributes = { class: `indent-${indent}` };
  if (style !== 'ordered') return el('ul', attributes, items);
  return el('ol', { ...attributes, start: offset > 0 ? offset + 1 : undefined }, items);
}

const parts: { [T in keyof RichTextSections]: (part: RichTextSection<T>, context: ViewContext) => Child } = {
  rich_text_section: ({ elements }, context) =>
    el('div', { class: 'rich-section' }, drawLeaves(elements, context)),
  rich_text_list: drawList,
  rich_text_quote: ({ elements }, context) => el('blockquote', {}, drawLeaves(elements, context)),
  rich_text_preformatted: ({ elements }, context) => el('pre', {}, drawLeaves(elements, context)),
};

function drawPart<T extends keyof RichTextSections>(part: RichTextSection<T>, context: ViewContext): Child {
  return Object.hasOwn(parts, part.type) ? parts[part.type](part, context) : unknownPart(part.type);
}

/** Draws formatted text, as a block and inside other blocks. */
export function drawRichText({ elements }: Pick<RichText, 'elements'>, context: ViewContext): HTMLElement {
  return el(
    'div',
    { class: 'rich-text text' },
    elements.map((part) => drawPart(part, context)),
  );
}
