import { el, link } from '../dom.js';
import { nameOf } from '../names.js';
import { fillDatePattern, fullTime } from '../time.js';
import { parseEmoji, parseMrkdwn } from './mrkdwn.js';

/** A mention, set apart from the text around it. */
export function mention(text, kind = 'user') {
  return el('span', { class: `mention mention-${kind}` }, text);
}

/** A date for the reader's own zone, with the moment in full behind it. */
export function dateNode({ timestamp, pattern, url, fallback }) {
  const date = new Date(timestamp * 1_000);
  if (Number.isNaN(date.getTime())) return fallback ?? '';
  const time = el(
    'time',
    { datetime: date.toISOString(), title: fullTime(date) },
    fillDatePattern(timestamp, pattern),
  );
  return url === undefined ? time : link(url, {}, time);
}

/** An emoji by its character, read out by its name. */
export function emojiNode(name, character) {
  return el('span', { class: 'emoji', role: 'img', 'aria-label': name, title: `:${name}:` }, character);
}

const renderers = {
  text: ({ text }) => text,
  bold: ({ children }) => el('strong', {}, renderNodes(children)),
  italic: ({ children }) => el('em', {}, renderNodes(children)),
  strike: ({ children }) => el('s', {}, renderNodes(children)),
  code: ({ text }) => el('code', {}, text),
  pre: ({ text }) => el('pre', {}, text),
  quote: ({ children }) => el('blockquote', {}, renderNodes(children)),
  emoji: ({ name, character }) => emojiNode(name, character),
  link: ({ url, text }) => link(url, {}, text),
  user: ({ id, label }) => mention(`@${label ?? nameOf(id)}`),
  channel: ({ id, label }) => mention(`#${label ?? nameOf(id)}`),
  usergroup: ({ id, label }) => mention(label ?? `@${id}`),
  broadcast: ({ range }) => mention(`@${range}`, 'broadcast'),
  date: dateNode,
};

/** Draws the nodes that a parser made. */
export function renderNodes(nodes) {
  return nodes.map((node) => renderers[node.type](node));
}

/** Draws a text object of the platform: `plain_text` or `mrkdwn`. */
export function renderText(text) {
  if (text === undefined) return [];
  if (typeof text === 'string') return [text];
  if (text.type === 'mrkdwn') return renderNodes(parseMrkdwn(text.text));
  return text.emoji === false ? [text.text] : renderNodes(parseEmoji(text.text));
}
