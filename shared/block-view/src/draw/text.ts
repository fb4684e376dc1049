import { nameOf, type ViewContext } from '../context.ts';
import { parseEmoji, parseMrkdwn } from '../text/mrkdwn.ts';
import type { TextNode, TextNodes } from '../text/nodes.ts';
import type { TextObject } from '../types/text.ts';
import { type Child, el, link } from './dom.ts';
import { fillDatePattern, fullTime } from './time.ts';

/** A mention, set apart from the text around it. */
export function mention(text: string, kind = 'user'): HTMLElement {
  return el('span', { class: `mention mention-${kind}` }, text);
}

/** A date for the reader's own zone, with the moment in full behind it. */
export function drawDate(
  { timestamp, pattern, url, fallback }: TextNodes['date'],
  context: ViewContext,
): Child {
  const date = new Date(timestamp * 1_000);
  if (Number.isNaN(date.getTime())) return fallback ?? '';
  const time = el(
    'time',
    { datetime: date.toISOString(), title: fullTime(date, context) },
    fillDatePattern(date, pattern, context),
  );
  return url === undefined ? time : link(url, {}, time);
}

/** An emoji by its character, read out by its name. */
export function drawEmoji(name: string, character: string): HTMLElement {
  return el('span', { class: 'emoji', role: 'img', 'aria-label': name, title: `:${name}:` }, character);
}

const drawings: { [T in keyof TextNodes]: (node: TextNode<T>, context: ViewContext) => Child } = {
  text: ({ text }) => text,
  bold: ({ children }, context) => el('strong', {}, drawNodes(children, context)),
  italic: ({ children }, context) => el('em', {}, drawNodes(children, context)),
  strike: ({ children }, context) => el('s', {}, drawNodes(children, context)),
  code: ({ text }) => el('code', {}, text),
  pre: ({ text }) => el('pre', {}, text),
  quote: ({ children }, context) => el('blockquote', {}, drawNodes(children, context)),
  emoji: ({ name, character }) => drawEmoji(name, character),
  link: ({ url, text }) => link(url, {}, text),
  user: ({ id, label }, context) => mention(`@${label ?? nameOf(context, id)}`),
  channel: ({ id, label }, context) => mention(`#${label ?? nameOf(context, id)}`),
  usergroup: ({ id, label }) => mention(label ?? `@${id}`),
  broadcast: ({ range }) => mention(`@${range}`, 'broadcast'),
  date: drawDate,
};

function drawNode<T extends keyof TextNodes>(node: TextNode<T>, context: ViewContext): Child {
  return drawings[node.type](node, context);
}

/** Draws the nodes that a parser made. */
export function drawNodes(nodes: readonly TextNode[], context: ViewContext): Child {
  return nodes.map((node) => drawNode(node, context));
}

/** Draws a text object of the platform. */
export function drawText(text: TextObject | undefined, context: ViewContext): Child {
  if (text === undefined) return [];
  if (text.type === 'mrkdwn') return drawNodes(parseMrkdwn(text.text), context);
  return text.emoji === false ? text.text : drawNodes(parseEmoji(text.text), context);
}

/** The words of a text object, where no markup can stand. */
export function plainOf(text: TextObject | undefined): string {
  return text?.text ?? '';
}
