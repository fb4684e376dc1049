import type { Position } from './positions.ts';
import { type Region, type Span, STAND_IN } from './scan.ts';

/**
 * Marks of styles and code around values alone that would pair with other marks of their line where the values are empty.
 * Where there are no others they stay.
 */
export interface BareMarks {
  readonly spans: readonly Span[];
  /** The marks around each value. */
  readonly regions: readonly (Region | undefined)[];
}

/** More marks at one place are no style. */
const LONGEST = 6;

const isMark = (character: string): boolean => /[*_~`]/.test(character);

const runAt = (whole: string, from: number, step: 1 | -1): string => {
  let run = '';
  for (let at = from; run.length <= LONGEST && isMark(whole.charAt(at)); at += step) run += whole.charAt(at);
  return run;
};

/** Whether a mark at this neighbour works: one inside a word, behind a backslash or beside a value is text. */
const isBorder = (neighbour: string): boolean =>
  neighbour !== STAND_IN && !/[\p{L}\p{N}\\*_~`]/u.test(neighbour);

/** The marks around values from one place to another, the innermost first; empty where both sides differ. */
const marksAround = (whole: string, from: number, to: number): string => {
  const marks = runAt(whole, from - 1, -1);
  if (marks === '' || marks.length > LONGEST || runAt(whole, to, 1) !== marks) return '';
  const isBare = isBorder(whole.charAt(from - marks.length - 1)) && isBorder(whole.charAt(to + marks.length));
  return isBare && /^`*[*_~]*$/.test(marks) ? marks : '';
};

/** Whether marks around nothing would work in another way: with others of the line, or as a rule across the page. */
const wouldWork = (whole: string, from: number, to: number, kind: 'mrkdwn' | 'markdown'): boolean => {
  const lineEnd = whole.indexOf('\n', to);
  const before = whole.slice(whole.lastIndexOf('\n', from - 1) + 1, from);
  const behind = whole.slice(to, lineEnd === -1 ? undefined : lineEnd);
  const isAlone = kind === 'markdown' && before.trim() === '' && behind.trim() === '';
  return (
    isAlone || [...whole.slice(from, to)].some((mark) => isMark(mark) && (before + behind).includes(mark))
  );
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
  const spans: Span[] = [];
  const regions = Array<Region | undefined>(holes.length).fill(undefined);
  for (let first = 0; first < holes.length; ) {
    const from = holes[first] ?? 0;
    let behind = first + 1;
    while (holes[behind] === from + behind - first) behind += 1;
    const to = from + behind - first;
    const marks = marksAround(whole, from, to);
    const ticks = kind === 'markdown' ? (/^`*/.exec(marks)?.[0].length ?? 0) : 0;
    const isCode = positions[first]?.name.includes('code') ?? false;
    const size = marks.length;
    if (size > ticks && isCode === marks.startsWith('`') && wouldWork(whole, from - size, to + size, kind)) {
      const region: Region = { kind: 'style' };
      regions.fill(region, first, behind);
      spans.push(
        { from: from - size, to: from - ticks, region },
        { from: to + ticks, to: to + size, region },
      );
    }
    first = behind;
  }
  return { spans, regions };
};
