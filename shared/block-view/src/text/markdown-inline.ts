import { parseEmoji, readBracket } from './mrkdwn.ts';
import type { TextNode } from './nodes.ts';
import { pairStyles, type StyleRun, styleRunAt } from './style-runs.ts';

/** The beginning of a link or an image, as long as nothing has ended it. */
interface Bracket {
  readonly type: 'bracket';
  readonly text: string;
}

type Part = TextNode | StyleRun | Bracket;

const PLAIN = /[^\\`<&[\]*_~!]+/y;
const ESCAPED = /\\([!-/:-@[-`{-~\n])/y;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(amp|lt|gt|quot|nbsp));/y;
const ENTITIES = new RegExp(ENTITY, 'g');
const AUTOLINK = /<([A-Za-z][A-Za-z\d+.-]{1,31}:[^\s<>]*)>/y;
/** The address behind a label, which may hold pairs of parentheses, and a title, which nobody sees before hovering. */
const TARGET =
  /\(\s*(?:(?:<([^<>\n]*)>|([^\s()<](?:[^\s()]|\([^\s()]*\))*))(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'))?\s*)?\)/y;
const OPENING_TICKS = /`+/y;
const TICKS = /`+/g;
const BARE_ADDRESS = /(https?:\/\/[^\s<>()]*[^\s<>().,;:!?])/;

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', '\u00A0'],
]);
const LAST_CODE_POINT = 0x10_ff_ff;

function characterOf([, decimal, hexadecimal, name = '']: readonly string[]): string {
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  if (Number.isNaN(code)) return NAMED.get(name) ?? '';
  return code === 0 || code > LAST_CODE_POINT ? '\uFFFD' : String.fromCodePoint(code);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** An address as it is written between parentheses, where backslashes and entities work. */
const decodeAddress = (written: string): string =>
  written.replace(/\\([!-/:-@[-`{-~])/g, '$1').replace(ENTITIES, (...found: string[]) => characterOf(found));

/** Code without the line ends and the spaces that keep its own backticks from the delimiters. */
function codeOf(written: string): string {
  const text = written.replaceAll('\n', ' ');
  return /^ .*[^ ].* $/.test(text) ? text.slice(1, -1) : text;
}

/** The words of nodes, for where no nodes can stand. */
const wordsOf = (nodes: readonly TextNode[]): string =>
  nodes
    .map((node) => {
      if ('children' in node) return wordsOf(node.children);
      if (node.type === 'emoji') return node.character;
      return 'text' in node ? node.text : '';
    })
    .join('');

/** Addresses and emoji in words: what has no marks. */
const nodesOfText = (text: string): TextNode[] =>
  text
    .split(BARE_ADDRESS)
    .flatMap((part, index): TextNode[] =>
      index % 2 === 1 ? [{ type: 'link', url: part, text: part }] : parseEmoji(part),
    );

/** Takes what has remained of marks for text, and reads addresses and emoji in it. */
function settle(parts: readonly Part[]): TextNode[] {
  const nodes: TextNode[] = [];
  let text = '';
  const endText = () => {
    if (text !== '') nodes.push(...nodesOfText(text));
    text = '';
  };
  for (const part of parts) {
    if (part.type === 'text' || part.type === 'bracket') text += part.text;
    else if (part.type === 'run') text += part.mark.repeat(part.length);
    else {
      endText();
      nodes.push(part);
    }
  }
  endText();
  return nodes;
}

const finish = (parts: readonly Part[]): TextNode[] => settle(pairStyles<TextNode | Bracket>(parts, settle));

/** Reads a text from its start to its end. */
class InlineReader {
  readonly #text: string;
  readonly #parts: Part[] = [];
  /** Places of brackets that may begin a link. */
  #open: number[] = [];
  /** Lengths of runs of backticks that none behind ends. */
  readonly #loneTicks = new Set<number>();
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): TextNode[] {
    while (this.#at < this.#text.length) this.#step();
    return finish(this.#parts);
  }

  #step(): void {
    const [plain] = matchAt(PLAIN, this.#text, this.#at) ?? [];
    const character = this.#text.charAt(this.#at);
    if (plain !== undefined) this.#say(plain);
    else if (character === '`') this.#code();
    else if (character === '[' || this.#text.startsWith('![', this.#at)) this.#bracket();
    else if (character === ']') this.#endBracket();
    else if (character === '<') this.#angle();
    else this.#run();
  }

  /** Marks of a style, or a character that is written in another way. */
  #run(): void {
    const run = styleRunAt(this.#text, this.#at);
    const escaped = matchAt(ESCAPED, this.#text, this.#at);
    const entity = matchAt(ENTITY, this.#text, this.#at);
    if (run !== undefined) {
      this.#parts.push(run);
      this.#at += run.length;
    } else if (escaped !== null) this.#say(escaped[0], escaped[1]);
    else if (entity !== null) this.#say(entity[0], characterOf(entity));
    else this.#say(this.#text.charAt(this.#at));
  }

  /** Adds the text that something written stands for. */
  #say(written: string, text = written): void {
    this.#parts.push({ type: 'text', text });
    this.#at += written.length;
  }

  #add(written: string, node: TextNode): void {
    this.#parts.push(node);
    this.#at += written.length;
  }

  #code(): void {
    const [opening = '`'] = matchAt(OPENING_TICKS, this.#text, this.#at) ?? [];
    const { length } = opening;
    const from = this.#at + length;
    const end = this.#loneTicks.has(length) ? undefined : this.#endOfCode(from, length);
    if (end === undefined) {
      this.#loneTicks.add(length);
      this.#say(opening);
    } else {
      const text = codeOf(this.#text.slice(from, end));
      this.#add(this.#text.slice(this.#at, end + length), { type: 'code', text });
    }
  }

  #endOfCode(from: number, length: number): number | undefined {
    TICKS.lastIndex = from;
    for (let found = TICKS.exec(this.#text); found !== null; found = TICKS.exec(this.#text)) {
      if (found[0].length === length) return found.index;
    }
    return undefined;
  }

  /** An address, or a mention or a date of the platform, between angle brackets. */
  #angle(): void {
    const [written = '', url] = matchAt(AUTOLINK, this.#text, this.#at) ?? [];
    const isMark = /[@#!]/.test(this.#text.charAt(this.#at + 1));
    const mark = isMark ? readBracket(this.#text, this.#at) : undefined;
    if (url !== undefined) this.#add(written, { type: 'link', url, text: url.replace(/^mailto:/i, '') });
    else if (mark !== undefined) this.#add(this.#text.slice(this.#at, mark.end), mark.node);
    else this.#say('<');
  }

  #bracket(): void {
    const text = this.#text.startsWith('!', this.#at) ? '![' : '[';
    this.#open.push(this.#parts.length);
    this.#parts.push({ type: 'bracket', text });
    this.#at += text.length;
  }

  #endBracket(): void {
    const open = this.#open.pop();
    const target = open === undefined ? null : matchAt(TARGET, this.#text, this.#at + 1);
    if (open === undefined || target === null) this.#say(']');
    else this.#link(open, target);
  }

  #link(open: number, [written, inAngles, bare = '']: RegExpExecArray): void {
    const [bracket, ...label] = this.#parts.splice(open);
    const url = decodeAddress(inAngles ?? bare);
    const text = wordsOf(finish(label));
    // A link holds no other link; an image may stand in one.
    if (bracket?.type === 'bracket' && bracket.text === '[') this.#open = [];
    this.#add(`]${written}`, { type: 'link', url, text: text === '' ? url : text });
  }
}

/** Reads a text of Markdown in which no block begins: styles, code, links, mentions, emoji and bare addresses. */
export const parseMarkdownInline = (text: string): TextNode[] => new InlineReader(text).read();
