import { LONGEST } from './code.ts';
import { codePoints } from './cut.ts';
import { closeMarks, cutMarks } from './cut-marks.ts';
import { cleanEntities } from './escape.ts';
import { SafeText } from './safe-text.ts';

/** A text with marks that work in at most `room` characters, each of them closed. */
export const shortenMarked = (text: string, room: number, kind: 'mrkdwn' | 'markdown'): string => {
  for (let kept = room; kept > 0; ) {
    const closed = closeMarks(cutMarks(text, kept, kind), kind);
    const excess = codePoints(closed) - room;
    if (excess <= 0) return closed;
    kept -= excess;
  }
  return '';
};

/** A value whose marks of styles work, each closed, so that none reaches into the text of the template behind it. */
export const styledOf = (value: string, kind: 'mrkdwn' | 'markdown'): SafeText => {
  const text = cleanEntities(value.slice(0, LONGEST));
  return new SafeText(closeMarks(text, kind), (room) => shortenMarked(text, room, kind));
};
