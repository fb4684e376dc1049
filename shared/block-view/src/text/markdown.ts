import { parseMarkdownInline } from './markdown-inline.ts';
import type { MarkdownNode } from './nodes.ts';

/** A block and the line behind it; blank lines have no block. */
interface Read {
  readonly node?: MarkdownNode;
  readonly end: number;
}

/** Quotes and lists inside of each other; what is deeper is shown as it is written. */
const DEEPEST = 8;

/** Reads the Markdown of a `markdown` block. */
export const parseMarkdown = (text: string): MarkdownNode[] => readBlocks(text.split('\n'), 0);

function readBlocks(lines: readonly string[], depth: number): MarkdownNode[] {
  const blocks: MarkdownNode[] = [];
  let index = 0;
  while (index < lines.length) {
    const block = readBlock(lines, index, depth);
    if (block.node !== undefined) blocks.push(block.node);
    index = block.end;
  }
  return blocks;
}

const BLANK = /^\s*$/;
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/;
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})\s*$/;
/** A fence of a line, or of a quote or an item on it. */
const FENCE_INSIDE = /(?:^|[\s>])(?:`{3}|~{3})/;
const INDENTED = /^(?: {4}|\t)/;
const RULE = /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
/** The mark of an item, and the spaces behind it: behind more than four the item begins with code. */
const ITEM = /^( {0,3}(?:[-+*]|(\d{1,9})[.)]))(?:[ \t](?= {4})|[ \t]{1,4}(?=\S)|\s*$)/;
/** Only these items end a paragraph. */
const INTERRUPTS = /^ {0,3}(?:[-+*]|1[.)])[ \t]+\S/;
const TABLE_LINE = /^\s*\|.*\|\s*$/;
const TABLE_SEPARATOR = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
/** A `|` that no backslash stands before, but for one that is escaped itself. */
const BAR = /(?<=(?<!\\)(?:\\\\)*)\|/;

/**
 * The text of a heading without the marks that close it, which stand behind a space. They are counted from the end: a
 * pattern tries every space.
 */
function titleOf(behindMarks: string): string {
  const title = behindMarks.trim();
  let end = title.length;
  while (title[end - 1] === '#') end -= 1;
  return end === 0 || /\s/.test(title.charAt(end - 1)) ? title.slice(0, end).trimEnd() : title;
}

function readBlock(lines: readonly string[], start: number, depth: number): Read {
  const line = lines[start] ?? '';
  if (BLANK.test(line)) return { end: start + 1 };
  if (FENCE.test(line)) return readFence(lines, start);
  if (INDENTED.test(line)) return readIndented(lines, start);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    return {
      node: {
        type: 'heading',
        level: heading[1]?.length ?? 1,
        children: parseMarkdownInline(titleOf(heading[2] ?? '')),
      },
      end: start + 1,
    };
  }
  if (RULE.test(line)) return { node: { type: 'rule' }, end: start + 1 };
  if (depth < DEEPEST && QUOTE.test(line)) return readQuote(lines, start, depth);
  if (depth < DEEPEST && ITEM.test(line)) return readList(lines, start, depth);
  if (TABLE_LINE.test(line) && TABLE_SEPARATOR.test(lines[start + 1] ?? '')) return readTable(lines, start);
  return readParagraph(lines, start);
}

/** The lines from `start` on that match, as one run. */
function runOf(
  lines: readonly string[],
  start: number,
  matches: (line: string) => boolean,
): { run: string[]; end: number } {
  let end = start;
  while (end < lines.length && matches(lines[end] ?? '')) end += 1;
  return { run: lines.slice(start, end), end };
}

/** Code up to the line that ends it; a line without a fence of at least the same length is a part of the code. */
function readFence(lines: readonly string[], start: number): Read {
  const line = lines[start] ?? '';
  const mark = FENCE.exec(line)?.[1] ?? '';
  const indent = new RegExp(`^\\s{0,${line.indexOf(mark)}}`);
  const { run, end } = runOf(lines, start + 1, (it) => !(FENCE_END.exec(it)?.[1] ?? '').startsWith(mark));
  return { node: { type: 'pre', text: run.map((it) => it.replace(indent, '')).join('\n') }, end: end + 1 };
}

/** Lines of four spaces, which are code where no paragraph or list goes on. */
function readIndented(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start, (line) => INDENTED.test(line));
  return { node: { type: 'pre', text: run.map((line) => line.replace(INDENTED, '')).join('\n') }, end };
}

/** Whether a line ends the paragraph before it. */
const endsParagraph = (line: string): boolean =>
  [BLANK, HEADING, FENCE, RULE, QUOTE, INTERRUPTS].some((pattern) => pattern.test(line));

/** The lines of a quote or an item, without its marks. */
class Inside {
  readonly lines: string[] = [];
  #hasFence = false;

  add(line: string): void {
    this.lines.push(line);
    this.#hasFence ||= FENCE_INSIDE.test(line);
  }

  /** Whether a line without the marks goes on with a paragraph at the end of the lines. */
  takes(line: string): boolean {
    const last = this.lines.at(-1) ?? '';
    const isText = ![BLANK, INDENTED, HEADING, RULE, TABLE_LINE].some((pattern) => pattern.test(last));
    return isText && !this.#hasFence && !ITEM.test(line) && !endsParagraph(line);
  }
}

function readQuote(lines: readonly string[], start: number, depth: number): Read {
  const inside = new Inside();
  let end = start;
  for (let line = lines[end]; line !== undefined; line = lines[end]) {
    const quoted = QUOTE.exec(line)?.[1];
    if (quoted === undefined && !inside.takes(line)) break;
    inside.add(quoted ?? line);
    end += 1;
  }
  return { node: { type: 'quote', children: readBlocks(inside.lines, depth + 1) }, end };
}

/** The sign of a line's item: items of another sign are another list. */
const signOf = (line = ''): string | undefined =>
  RULE.test(line) ? undefined : ITEM.exec(line)?.[1]?.at(-1);

/** A line of an item without the spaces that stand for its mark, if it has them. */
function lineIn(line: string, width: number): string | undefined {
  if (line.startsWith('\t')) return line.slice(1);
  return line.startsWith(' '.repeat(width)) ? line.slice(width) : undefined;
}

/** An item and the line behind it. Blank lines belong to it where more of it follows. */
function readItem(lines: readonly string[], start: number): { inside: readonly string[]; end: number } {
  const first = lines[start] ?? '';
  const [found = '', mark = ''] = ITEM.exec(first) ?? [];
  const text = first.slice(found.length);
  const width = BLANK.test(text) ? mark.length + 1 : found.length;
  const inside = new Inside();
  inside.add(text);
  let end = start + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (BLANK.test(line)) continue;
    const own = lineIn(line, width);
    if (own === undefined && (at > end || !inside.takes(line))) break;
    for (; end < at; end += 1) inside.add('');
    inside.add(own ?? line);
    end += 1;
  }
  return { inside: inside.lines, end };
}

function readList(lines: readonly string[], start: number, depth: number): Read {
  const sign = signOf(lines[start]);
  const number = ITEM.exec(lines[start] ?? '')?.[2];
  const items: MarkdownNode[][] = [];
  let end = start;
  for (let next = start; signOf(lines[next]) === sign; ) {
    const item = readItem(lines, next);
    items.push(readBlocks(item.inside, depth + 1));
    end = item.end;
    for (next = end; next < lines.length && BLANK.test(lines[next] ?? ''); ) next += 1;
  }
  return { node: { type: 'list', start: number === undefined ? undefined : Number(number), items }, end };
}

/** The cells of a row. A `|` behind a backslash is a part of its cell, also in code. */
const cellsOf = (line: string) =>
  line
    .trim()
    .slice(1, -1)
    .split(BAR)
    .map((cell) => parseMarkdownInline(cell.trim().replaceAll('\\|', '|')));

function readTable(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start, (line) => TABLE_LINE.test(line));
  const [header = [], , ...rows] = run.map(cellsOf);
  return { node: { type: 'table', header, rows }, end };
}

function readParagraph(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start + 1, (line) => !endsParagraph(line));
  const paragraph = [lines[start] ?? '', ...run].map((line) => line.trimStart()).join('\n');
  return { node: { type: 'paragraph', children: parseMarkdownInline(paragraph) }, end };
}
