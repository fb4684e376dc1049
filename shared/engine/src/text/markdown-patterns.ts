import { STAND_IN } from './scan.ts';

export const headingStart = /^ {0,3}#{1,6}(?:\s|$)/;
/** A line across the page. */
export const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
export const fenceStart = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
export const autolink = new RegExp(`<(?:${STAND_IN}|[A-Za-z][A-Za-z0-9+.-]{1,31}:)[^\\s<>]*>`, 'y');
const address = String.raw`(?:<[^<>\n]*>|[^\s()<][^\s()]*(?:\([^\s()]*\)[^\s()]*)*)`;
const title = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))`;
/** What stands in the parentheses of a link: an address, a title, both or none. Spaces are a part of one of them alone. */
export const target = new RegExp(
  String.raw`\(\s*(?:(${address})(?:\s+(${title}))?\s*)?\)|\(\s+(${title})\s*\)`,
  'y',
);
/** The start of what a value in code would make an address of: `a@e.com>` behind it. */
export const openAngle = /<[^\s<>]*$/;
/** What stands before a value is looked for marks in its last characters alone. */
export const LOOK_BACK = 100;
export const ticks = /`+/y;
/** Values alone. */
export const bare = new RegExp(`^${STAND_IN}+$`);
/** A line that gives a label its address, at the start of a paragraph. */
export const definition = new RegExp(
  String.raw`^ {0,3}\[(?=[^\]]*[^\]\s])(?:[^\\[\]]|\\.)+\]:\s*(${address})(?:\s+(${title}))?\s*$`,
);

/** The start and the end of a cell: a `|`, also of code, or the end of its row. */
export const cellBorder = /^|(?<!\\)\||$/gm;

/** A delimiter row of a table, which makes its header of the line before. */
export const isDelimiterRow = (line: string): boolean =>
  line.includes('|') && line.includes('-') && /^[ |:-]*$/.test(line);

/** A line that makes a heading of the paragraph before. */
export const underline = /^ {0,3}(?:=+|-+)\s*$/;

/** The places of runs of backticks by their length, so that a text of many finds the end of each at once. */
export const tickRuns = (text: string, from: number, to: number): Map<number, number[]> => {
  const runs = new Map<number, number[]>();
  for (const { 0: run, index } of text.slice(from, to).matchAll(/`+/g)) {
    const known = runs.get(run.length);
    if (known === undefined) runs.set(run.length, [from + index]);
    else known.push(from + index);
  }
  return runs;
};

/** The start of a line that begins no block: it is code, or goes on with a paragraph. */
export const deep = /^ {4}/;
/** The start of a line that looks like an item where it goes on with a paragraph. */
export const likeItem = /^ {0,3}\d{1,9}[.)] /;

/** A paragraph that begins with a value, and may be none. */
export const beginsWithValue = new RegExp(`^[\\s>\\d.)+*-]*${STAND_IN}`);

/** The start of a line that a value may make the mark of a block of. */
export const halfStart = new RegExp(`^[\\s>#\\d.)+*=_~<|${STAND_IN}-]*$`);
