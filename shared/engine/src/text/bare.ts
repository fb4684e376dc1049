import type { Position } from './positions.ts';
import { type Region, type Span, STAND_IN } from './scan.ts';

/**
 * Marks of styles and code around values alone that would pair with other marks of their line where the values are
 * empty. Where there are no others they stay.
 */
export interface BareMarks {
  readonly spans: readonly Span[];
  /** The marks around each value. */
  readonly regions: readonly (Region | undefined)[];
}

/** Of a text without such marks, as most are. */
export const noBareMarks: BareMarks = { spans: [], regions: [] };

/** More marks at one place are no style. */
const LONGEST = 6;

const anyMark = /[*_~`]/;

const isMark = (character: string): boolean =>
  character === '*' || character === '_' || character === '~' || character === '`';

const runAt = (whole: string, from: number, step: 1 | -1): string => {
  let run = '';
  for (let at = from; run.length <= LONGEST && isMark(whole.charAt(at)); at += step) run += whole.charAt(at);
  return run;
};

/** Whether a mark at this neighbour works: one inside a word, behind a backslash or next to a value is text. */
const isBorder = (neighbour: string): boolean =>
  // Most neighbours are spaces and line ends, for which the classes of Unicode are slow.
  neighbour === '' || neighbour === ' ' || neighbour === '\n'
    ? true
    : neighbour !== STAND_IN && !/[\p{L}\p{N}\\*_~`]/u.test(neighbour);

/** The marks around values from one place to another, the innermost first; empty where both sides differ. */
const marksAround = (whole: string, from: number, to: number): string => {
  // Most values have none.
  if (!isMark(whole.charAt(from - 1)) || !isMark(whole.charAt(to))) return '';
  const marks = runAt(whole, from - 1, -1);
  if (marks.length > LONGEST || runAt(whole, to, 1) !== marks) return '';
  const isBare = isBorder(whole.charAt(from - marks.length - 1)) && isBorder(whole.charAt(to + marks.length));
  return isBare && /^`*[*_~]*$/.test(marks) ? marks : '';
};

/** A line of a text, and where it ends in it. */
interface Line {
  readonly to: number;
  readonly text: string;
  /** How many of a mark it has; many values in one line ask for the same marks. */
  readonly counts: Map<string, number>;
}

const lineAt = (whole: string, hole: number): Line => {
  const end = whole.indexOf('\n', hole);
  const to = end === -1 ? whole.length : end;
  return { to, text: whole.slice(whole.lastIndexOf('\n', hole - 1) + 1, to), counts: new Map() };
};

const countIn = (text: string, mark: string): number => {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
};

const countOf = ({ text, counts }: Line, mark: string): number => {
  const counted = counts.get(mark) ?? countIn(text, mark);
  counts.set(mark, counted);
  return counted;
};

/** Whether marks around nothing would work in another way: with others of the line, or as a rule across the page. */
const wouldWork = (marks: string, line: Line, kind: 'mrkdwn' | 'markdown'): boolean => {
  if (kind === 'markdown' && !/[^*_~`\s\uFFFC]/.test(line.text)) return true;
  for (const mark of marks) {
    if (countOf(line, mark) > 2 * countIn(marks, mark)) return true;
  }
  return false;
};

/**
 * Finds the marks that stand directly around values.
 *
 * @param kind of the text; the code of Markdown goes by itself
 */
export const bareMarks = (
  whole: string,
  holes: readonly number[],
  positions: readonly Position[],
  kind: 'mrkdwn' | 'markdown',
): BareMarks => {
  if (!anyMark.test(whole)) return noBareMarks;
  const spans: Span[] = [];
  const regions = Array<Region | undefined>(holes.length).fill(undefined);
  let line: Line | undefined;
  for (let first = 0; first < holes.length; ) {
    const from = holes[first] ?? 0;
    let behind = first + 1;
    while (holes[behind] === from + behind - first) behind += 1;
    const to = from + behind - first;
    const marks = marksAround(whole, from, to);
    const [at, size] = [first, marks.length];
    first = behind;
    if (size === 0) continue;
    const ticks = kind === 'markdown' ? (/^`*/.exec(marks)?.[0].length ?? 0) : 0;
    const isCode = positions[at]?.name.includes('code') ?? false;
    if (line === undefined || line.to < from) line = lineAt(whole, from);
    const isTheirs = size > ticks && isCode === marks.startsWith('`');
    if (isTheirs && wouldWork(marks, line, kind)) {
      const region: Region = { kind: 'style' };
      regions.fill(region, at, behind);
      spans.push(
        { from: from - size, to: from - ticks, region },
        { from: to + ticks, to: to + size, region },
      );
    }
  }
  return { spans, regions };
};
