import { decodeEntities, parseEmoji } from './mrkdwn.ts';
import type { MarkdownNode, TextNode } from './nodes.ts';

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
    const block = readBlock(lines, index);
    if (block.node !== undefined) blocks.push(block.node);
    index = block.end;
  }
  return blocks;
}

const BLANK = /^\s*$/;
const HEADING = /^(#{1,6})\s(.*)$/;
const FENCE = /^```/;
const RULE = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const QUOTE = /^(?:>|&gt;)\s?(.*)$/;
const ITEM = /^\s*(?:([-*+])|(\d+)[.)])\s+(.*)$/;
const TABLE_LINE = /^\s*\|.*\|\s*$/;
const TABLE_SEPARATOR = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** The text of a heading without the marks that close it. They are counted from the end: a pattern tries every space. */
function titleOf(behindMarks: string): string {
  let end = behindMarks.length;
  while (behindMarks[end - 1] === '#') end -= 1;
  return behindMarks.slice(0, end).trim();
}

function readBlock(lines: readonly string[], start: number): Read {
  const line = lines[start] ?? '';
  if (BLANK.test(line)) return { end: start + 1 };
  if (FENCE.test(line)) return readFence(lines, start);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    return {
      node: {
        type: 'heading',
        level: heading[1]?.length ?? 1,
        children: parseSpan(titleOf(heading[2] ?? '')),
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

function readFence(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start + 1, (line) => !FENCE.test(line));
  return { node: { type: 'pre', text: decodeEntities(run.join('\n')) }, end: end + 1 };
}

function readQuote(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start, (line) => QUOTE.test(line));
  return {
    node: { type: 'quote', children: parseSpan(run.map((line) => QUOTE.exec(line)?.[1] ?? '').join('\n')) },
    end,
  };
}

function readList(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start, (line) => ITEM.test(line));
  const ordered = ITEM.exec(run[0] ?? '')?.[2] !== undefined;
  return {
    node: { type: 'list', ordered, items: run.map((line) => parseSpan(ITEM.exec(line)?.[3] ?? '')) },
    end,
  };
}

function readTable(lines: readonly string[], start: number): Read {
  const { run, end } = runOf(lines, start, (line) => TABLE_LINE.test(line));
  const [header = [], , ...rows] = run.map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split('|')
      .map((cell) => parseSpan(cell.trim())),
  );
  return { node: { type: 'table', header, rows }, end };
}

function readParagraph(lines: readonly string[], start: number): Read {
  const startsOther = (line: string) =>
    [BLANK, HEADING, FENCE, RULE, QUOTE, ITEM].some((pattern) => pattern.test(line));
  const { run, end } = runOf(lines, start + 1, (line) => !startsOther(line));
  return { node: { type: 'paragraph', children: parseSpan([lines[start], ...run].join('\n')) }, end };
}

interface Span {
  readonly pattern: RegExp;
  readonly make: (found: readonly string[]) => TextNode;
}

/** What has a meaning inside a line, the earliest match first. */
const SPANS: readonly Span[] = [
  { pattern: /`([^`\n]+)`/, make: ([, text = '']) => ({ type: 'code', text: decodeEntities(text) }) },
  {
    pattern: /!?\[([^\]\n]*)\]\(([^\s)]+)\)/,
    make: ([, text = '', url = '']) => ({
      type: 'link',
      url: decodeEntities(url),
      text: decodeEntities(text),
    }),
  },
  {
    pattern: /\*\*(?=\S)(.+?)(?<=\S)\*\*/,
    make: ([, text = '']) => ({ type: 'bold', children: parseSpan(text) }),
  },
  {
    pattern: /__(?=\S)(.+?)(?<=\S)__/,
    make: ([, text = '']) => ({ type: 'bold', children: parseSpan(text) }),
  },
  {
    pattern: /~~(?=\S)(.+?)(?<=\S)~~/,
    make: ([, text = '']) => ({ type: 'strike', children: parseSpan(text) }),
  },
  {
    pattern: /\*(?=\S)([^*\n]+?)(?<=\S)\*/,
    make: ([, text = '']) => ({ type: 'italic', children: parseSpan(text) }),
  },
  {
    pattern: /(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)/,
    make: ([, text = '']) => ({ type: 'italic', children: parseSpan(text) }),
  },
  {
    pattern: /https?:\/\/[^\s<>()]*[^\s<>().,;:!?]/,
    make: ([url = '']) => ({ type: 'link', url: decodeEntities(url), text: decodeEntities(url) }),
  },
];

function earliestSpan(text: string): { match: RegExpExecArray; make: Span['make'] } | undefined {
  let best: { match: RegExpExecArray; make: Span['make'] } | undefined;
  for (const { pattern, make } of SPANS) {
    const match = pattern.exec(text);
    if (match !== null && (best === undefined || match.index < best.match.index)) best = { match, make };
  }
  return best;
}

function parseSpan(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  let rest = text;
  for (let span = earliestSpan(rest); span !== undefined; span = earliestSpan(rest)) {
    nodes.push(...parseEmoji(decodeEntities(rest.slice(0, span.match.index))), span.make(span.match));
    rest = rest.slice(span.match.index + span.match[0].length);
  }
  return [...nodes, ...parseEmoji(decodeEntities(rest))];
}
