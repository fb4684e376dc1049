import { STAND_IN } from './scan.ts';

export const container = /^(?: {0,3}>[ ]?|[ ]*(?:[-+*]|\d{1,9}[.)])(?:[ ]+|$))*/;
export const fenceStart = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/;
export const autolink = new RegExp(`<(?:${STAND_IN}|[A-Za-z][A-Za-z0-9+.-]{1,31}:)[^\\s<>]*>`, 'y');
const address = String.raw`(?:<[^<>\n]*>|[^\s()<][^\s()]*(?:\([^\s()]*\)[^\s()]*)*)`;
const title = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))`;
/** What stands in the parentheses of a link: an address, a title, both or none. Spaces are a part of one of them alone. */
export const target = new RegExp(
  String.raw`\(\s*(?:(${address})(?:\s+(${title}))?\s*)?\)|\(\s+(${title})\s*\)`,
  'y',
);
export const ticks = /`+/y;
export const bare = new RegExp(`^${STAND_IN}+$`);
export const definition = /^ {0,3}\[[^\]\n]+\]:\s*(\S+)(?:\s+(["'(].*["')]))?\s*$/;

/** A delimiter row of a table, which makes its header of the line before. */
export const isDelimiterRow = (line: string): boolean =>
  line.includes('|') && line.includes('-') && /^[ |:-]*$/.test(line);

/** A line that makes a heading of the paragraph before. */
export const underline = /^ {0,3}(?:=+|-+)\s*$/;
