import { parseMarkdownInline } from './markdown-inline.ts';
import type { MarkdownNode } from './nodes.ts';

/** A block and the line behind it; blank lines have no block. */
interface Read {
  readonly node?: MarkdownNode;
  readonly end: number;
}

/** Reads the Markdown of a `markdown` block. */
export function parseMarkdown(text: string): MarkdownNode[] {
  const lines = text.split('\n');
  const blocks: MarkdownNode[] = [];
  let index = 0;
  while (index < lines.length) {
    const block = readBlock(lines, index, blocks.at(-1)?.type === 'list');
    if (block.node !== undefined) blocks.push(block.node);
    index = block.end;
  }
  return blocks;
}

const BLANK = /^\s*$/;
const HEADING = /^ {0,3}(#{1,6})\s(.*)$/;
const FENCE = /^\s*(`{3,}(?=[^`]*$)|~{3,})/;
const FENCE_END = /^\s*(`{3,}|~{3,})\s*$/;
const INDENTED = /^(?: {4}|\t)/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const ITEM = /^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$/;
/** A further line of an item. */
const CONTINUED = /^\s{2,}\S/;
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

function readBlock(lines: readonly string[], start: number, isBehindList: boolean): Read {
  const line = lines[start] ?? '';
  if (BLANK.test(line)) return { end: start + 1 };
  if (FENCE.test(line)) return readFence(lines, start);
  if (INDENTED.test(line) && !isBehindList) return readIndented(lines, start);
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
  if (QUOTE.test(line)) return readQuote(lines, start);
  if (ITEM.test(line)) return readList(lines, start);
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

function readQuote(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start, (line) => QUOTE.test(line));
  return {
    node: {
      type: 'quote',
      children: parseMarkdownInline(run.map((line) => QUOTE.exec(line)?.[1] ?? '').join('\n')),
    },
    end,
  };
}

function readList(lines: readonly string[], start: number): Read {
  const ordered = ITEM.exec(lines[start] ?? '')?.[2] !== undefined;
  const { run, end } = runOf(
    lines,
    start,
    (line) => ITEM.test(line) || (CONTINUED.test(line) && !FENCE.test(line)),
  );
  const items: string[][] = [];
  for (const line of run) {
    const item = ITEM.exec(line)?.[3];
    if (item === undefined) items.at(-1)?.push(line.trimStart());
    else items.push([item]);
  }
  return {
    node: { type: 'list', ordered, items: items.map((item) => parseMarkdownInline(item.join('\n'))) },
    end,
  };
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
  const startsOther = (line: string) =>
    [BLANK, HEADING, FENCE, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
  const { run, end } = runOf(lines, start + 1, (line) => !startsOther(line));
  const paragraph = [lines[start] ?? '', ...run].map((line) => line.trimStart()).join('\n');
  return { node: { type: 'paragraph', children: parseMarkdownInline(paragraph) }, end };
}
