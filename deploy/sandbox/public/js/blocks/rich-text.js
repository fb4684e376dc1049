import { el, link } from '../dom.js';
import { nameOf } from '../names.js';
import { emojiCharacter } from '../text/emoji.js';
import { dateNode, emojiNode, mention } from '../text/inline.js';

function renderColor({ value }) {
  const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  // Set as a property: the value is one colour or nothing, whatever else the text holds.
  swatch.style.backgroundColor = value;
  return el('span', { class: 'color' }, swatch, value);
}

const inline = {
  text: ({ text }) => text,
  link: ({ url, text }) => link(url, {}, text === undefined || text === '' ? url : text),
  emoji: ({ name }) => {
    const character = emojiCharacter(name);
    return character === undefined ? `:${name}:` : emojiNode(name, character);
  },
  user: ({ user_id }) => mention(`@${nameOf(user_id)}`),
  usergroup: ({ usergroup_id }) => mention(`@${usergroup_id}`),
  team: ({ team_id }) => mention(`@${team_id}`),
  channel: ({ channel_id }) => mention(`#${nameOf(channel_id)}`),
  broadcast: ({ range }) => mention(`@${range}`, 'broadcast'),
  date: ({ timestamp, format, url, fallback }) => dateNode({ timestamp, pattern: format, url, fallback }),
  color: renderColor,
};

const styleTags = [
  ['code', 'code'],
  ['bold', 'strong'],
  ['italic', 'em'],
  ['strike', 's'],
  ['underline', 'u'],
];

function renderInline(element) {
  const plain = inline[element.type]?.(element) ?? '';
  return styleTags
    .filter(([style]) => element.style?.[style] === true)
    .reduce((content, [, tag]) => el(tag, {}, content), plain);
}

function renderList({ elements, style, indent = 0, offset = 0 }) {
  const tag = style === 'ordered' ? 'ol' : 'ul';
  const start = style === 'ordered' && offset > 0 ? offset + 1 : undefined;
  const items = elements.map((section) => el('li', {}, section.elements.map(renderInline)));
  return el(tag, { class: `indent-${indent}`, start }, items);
}

const parts = {
  rich_text_section: ({ elements }) => el('div', { class: 'rich-section' }, elements.map(renderInline)),
  rich_text_list: renderList,
  rich_text_quote: ({ elements }) => el('blockquote', {}, elements.map(renderInline)),
  rich_text_preformatted: ({ elements }) => el('pre', {}, elements.map(renderInline)),
};

/** Draws formatted text, as a block and inside other blocks. */
export function renderRichText({ elements }) {
  return el(
    'div',
    { class: 'rich-text text' },
    elements.map((part) => parts[part.type]?.(part)),
  );
}
