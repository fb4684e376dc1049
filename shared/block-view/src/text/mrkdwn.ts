import { emojiCharacter } from './emoji.ts';
import type { TextNode } from './nodes.ts';

/** A node and where it ends in the text. */
interface Found {
  readonly node: TextNode;
  readonly end: number;
}

/** Reads the platform's mrkdwn. */
export function parseMrkdwn(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  // Parts with an odd index are the text between fences.
  text.split(/```([\s\S]+?)```/).forEach((part, index) => {
    if (index % 2 === 1) nodes.push({ type: 'pre', text: decodeEntities(part.replace(/^\n|\n$/g, '')) });
    else nodes.push(...parseLines(part));
  });
  return nodes;
}

/** Reads text in which nothing but emoji shortcodes has a meaning. */
export function parseEmoji(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  for (const part of text.split(/(:[a-z0-9_+'-]+:)/)) {
    const character = /^:.+:$/.test(part) ? emojiCharacter(part.slice(1, -1)) : undefined;
    if (character === undefined) pushText(nodes, part);
    else nodes.push({ type: 'emoji', name: part.slice(1, -1), character });
  }
  return nodes;
}

/** Turns the three entities that the platform escapes back into characters. */
export function decodeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function parseLines(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  let plain: string[] = [];
  let quoted: string[] = [];
  const endPlain = () => {
    if (plain.length > 0) nodes.push(...parseInline(plain.join('\n')));
    plain = [];
  };
  const endQuote = () => {
    if (quoted.length > 0) nodes.push({ type: 'quote', children: parseInline(quoted.join('\n')) });
    quoted = [];
  };
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    const rest = /^(?:&gt;|>){3}(.*)$/.exec(line);
    if (rest !== null) {
      endPlain();
      quoted.push(rest[1] ?? '', ...lines.slice(index + 1));
      break;
    }
    const quote = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (quote === null) {
      endQuote();
      plain.push(line);
    } else {
      endPlain();
      quoted.push(quote[1] ?? '');
    }
  }
  endPlain();
  endQuote();
  return nodes;
}

const STYLES = new Map<string, 'bold' | 'italic' | 'strike'>([
  ['*', 'bold'],
  ['_', 'italic'],
  ['~', 'strike'],
]);

/** What a mark of a style does not work next to: a word, and the zero-width space that the engine puts at marks of values. */
const JOINED = /[\p{L}\p{N}\u200B]/u;

/** Reads one run of text; `code`, entities in angle brackets, styles, emoji and bare addresses have a meaning. */
export function parseInline(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  let index = 0;
  while (index < text.length) {
    const found = readSpecial(text, index);
    if (found === undefined) {
      pushText(nodes, text.charAt(index));
      index += 1;
    } else {
      nodes.push(found.node);
      index = found.end;
    }
  }
  return nodes.map((node) =>
    node.type === 'text' ? { type: 'text', text: decodeEntities(node.text) } : node,
  );
}

function pushText(nodes: TextNode[], text: string): void {
  const last = nodes.at(-1);
  if (text === '') return;
  if (last?.type === 'text') nodes.splice(-1, 1, { type: 'text', text: last.text + text });
  else nodes.push({ type: 'text', text });
}

function readSpecial(text: string, start: number): Found | undefined {
  const character = text.charAt(start);
  if (character === ':') return readEmoji(text, start);
  const style = STYLES.get(character);
  return style === undefined ? readWhole(text, start) : readStyled(text, start, style);
}

/** Code, a mark in angle brackets or a bare address, in which no style ends. */
function readWhole(text: string, start: number): Found | undefined {
  const character = text.charAt(start);
  if (character === '`') return readCode(text, start);
  if (character === '<') return readBracket(text, start);
  return character === 'h' ? readBareUrl(text, start) : undefined;
}

/** What a pattern matches exactly at `start`, and where that ends; a pattern never looks past the next mark of its kind. */
function matchAt(
  text: string,
  start: number,
  source: RegExp,
): { found: string; inner: string; end: number } | undefined {
  const pattern = new RegExp(source, 'y');
  pattern.lastIndex = start;
  const found = pattern.exec(text);
  if (found === null) return undefined;
  const [whole, inner = ''] = found;
  return { found: whole, inner, end: pattern.lastIndex };
}

function readCode(text: string, start: number): Found | undefined {
  const match = matchAt(text, start, /`([^`\n]+)`/);
  return match && { node: { type: 'code', text: decodeEntities(match.inner) }, end: match.end };
}

function readEmoji(text: string, start: number): Found | undefined {
  const match = matchAt(text, start, /:([a-z0-9_+'-]+):(?::skin-tone-[2-6]:)?/);
  if (match === undefined) return undefined;
  const character = emojiCharacter(match.inner);
  if (character === undefined) return undefined;
  return { node: { type: 'emoji', name: match.inner, character }, end: match.end };
}

/** An address up to a space, a mark or the entity of one, without the marks and full stops behind it. */
const BARE_ADDRESS = /https?:\/\/(?:&amp;|&(?!(?:amp|[lg]t);)|[^\s<>|&])+(?<![.,;:!?)*_~])/;

function readBareUrl(text: string, start: number): Found | undefined {
  if (/\w/.test(text[start - 1] ?? ' ')) return undefined;
  const match = matchAt(text, start, BARE_ADDRESS);
  if (match === undefined) return undefined;
  const url = decodeEntities(match.found);
  return { node: { type: 'link', url, text: url }, end: match.end };
}

function readStyled(text: string, start: number, type: 'bold' | 'italic' | 'strike'): Found | undefined {
  const mark = text[start];
  const opens = !JOINED.test(text.charAt(start - 1)) && /\S/.test(text.charAt(start + 1));
  if (!opens || text[start + 1] === mark) return undefined;
  const end = closingMark(text, start);
  if (end === -1) return undefined;
  return { node: { type, children: parseInline(text.slice(start + 1, end)) }, end: end + 1 };
}

/** Where a style ends: on the same line, after a character and before no other word, outside of code and addresses. */
function closingMark(text: string, start: number): number {
  const mark = text[start];
  for (let index = start + 1; index < text.length && text[index] !== '\n'; index += 1) {
    const skipped = readWhole(text, index);
    if (skipped !== undefined) index = skipped.end - 1;
    else if (
      text[index] === mark &&
      /\S/.test(text.charAt(index - 1)) &&
      !JOINED.test(text.charAt(index + 1))
    )
      return index;
  }
  return -1;
}

/** Reads a link, a mention or another mark between angle brackets. */
export function readBracket(text: string, start: number): Found | undefined {
  const match = matchAt(text, start, /<([^<>\n]+)>/);
  return match && { node: bracketNode(match.inner), end: match.end };
}

function bracketNode(inner: string): TextNode {
  const bar = inner.indexOf('|');
  const target = bar === -1 ? inner : inner.slice(0, bar);
  const label = bar === -1 ? undefined : decodeEntities(inner.slice(bar + 1));
  const id = target.slice(1);
  if (target.startsWith('@')) return { type: 'user', id, label };
  if (target.startsWith('#')) return { type: 'channel', id, label };
  if (target.startsWith('!')) return commandNode(id, label);
  const url = decodeEntities(target);
  return { type: 'link', url, text: label ?? url.replace(/^mailto:/, '') };
}

function commandNode(command: string, label: string | undefined): TextNode {
  const [name = '', ...rest] = command.split('^');
  if (['here', 'channel', 'everyone'].includes(name)) return { type: 'broadcast', range: name };
  if (name === 'subteam') return { type: 'usergroup', id: rest[0] ?? '', label };
  if (name === 'date') {
    const [timestamp, pattern = '', url] = rest;
    return { type: 'date', timestamp: Number(timestamp), pattern, url, fallback: label };
  }
  return { type: 'text', text: label ?? `<!${command}>` };
}
