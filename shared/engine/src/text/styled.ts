import { LONGEST } from './code.ts';
import { codePoints } from './cut.ts';
import { closeMarks, cutMarks } from './cut-marks.ts';
import { cleanEntities, cleanPlain } from './escape.ts';
import { oneLine, trimIn } from './lines.ts';
import { withoutLinks } from './markdown-links.ts';
import { withoutLoneTicks, ZERO_WIDTH } from './mrkdwn-values.ts';
import type { Position } from './positions.ts';
import { MarkedText } from './safe-text.ts';
import { stylesOf } from './style-pairs.ts';

/** A text with its marks closed, so that none reaches into what follows. */
const closeOf = (text: string, kind: 'mrkdwn' | 'markdown'): string => {
  const closed = closeMarks(text, kind);
  return kind === 'mrkdwn' ? withoutLoneTicks(closed) : closed;
};

/** A text with marks that work in at most `room` characters, each of them closed. */
export const shortenMarked = (text: string, room: number, kind: 'mrkdwn' | 'markdown'): string => {
  for (let kept = room; kept > 0; ) {
    const closed = closeOf(cutMarks(text, kept, kind), kind);
    const excess = codePoints(closed) - room;
    if (excess <= 0) return closed;
    kept -= excess;
  }
  return '';
};

const stopped = (mark: string, kind: 'mrkdwn' | 'markdown'): string =>
  kind === 'mrkdwn' ? `${ZERO_WIDTH}${mark}${ZERO_WIDTH}` : mark.replace(/./g, '\\$&');

/**
 * A text whose marks work with each other alone: those that would end a style of the template are stopped, and those of a
 * style that the template has begun already are left out.
 */
const apartFrom = (styles: readonly string[], text: string, kind: 'mrkdwn' | 'markdown'): string => {
  const { pairs, lone } = stylesOf(text, kind);
  const edits = [
    ...lone.map(({ mark, from }) => ({ at: from, mark, written: stopped(mark, kind) })),
    ...pairs
      .filter(({ mark }) => styles.includes(mark))
      .flatMap(({ mark, from, to }) => [from, to].map((at) => ({ at, mark, written: '' }))),
  ].sort((one, other) => one.at - other.at);
  let written = '';
  let behind = 0;
  for (const { at, mark, written: edited } of edits) {
    written += text.slice(behind, at) + edited;
    behind = at + mark.length;
  }
  return written + text.slice(behind);
};

/**
 * A value whose marks of styles work, each closed, so that none reaches into the text of the template around it; its
 * mentions and links do not.
 */
export const styledOf = (value: string, kind: 'mrkdwn' | 'markdown', position: Position): MarkedText => {
  const start = trimIn(cleanPlain(value.slice(0, LONGEST)), position.styles, position);
  const lines = position.isOneLine ? oneLine(start) : start;
  const safe = kind === 'mrkdwn' ? cleanEntities(lines) : withoutLinks(lines, position);
  const text = apartFrom(position.styles, closeOf(safe, kind), kind);
  return new MarkedText(text, (room) => shortenMarked(text, room, kind));
};
