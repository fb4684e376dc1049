import { codePoints } from './cut.ts';
import { cutMarks } from './cut-marks.ts';
import type { TextKind } from './escape.ts';
import { shareOf } from './share.ts';

/** A text of a run that has to fit together with others. */
export interface Composed {
  readonly text: string;
  readonly kind: TextKind;
  readonly pointer: string;
  /** Writes it with its values shortened to a number of characters in all; none where it has no values. */
  readonly refit: ((room: number) => string) | undefined;
}

/**
 * Texts that are fitted together: those of all markdown blocks share a limit, and so do the cells of a table; the labels
 * of a chart make room for what tells equal ones apart.
 */
export type Group = 'markdown' | 'cells' | 'labels';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Cuts what is beyond the room, the last texts first: there is more text of the template than fits. */
const cutLast = (texts: readonly string[], composed: readonly Composed[], max: number): string[] => {
  let left = max;
  return texts.map((text, index) => {
    const cut = cutMarks(text, left, composed[index]?.kind ?? 'plain');
    left -= codePoints(cut);
    return cut;
  });
};

/** Makes texts fit into one limit: their values share the room that the text of the template leaves. */
export const fitTogether = (composed: readonly Composed[], max: number): string[] => {
  const lengths = composed.map(({ text }) => codePoints(text));
  if (sum(lengths) <= max) return composed.map(({ text }) => text);
  const literals = composed.map(({ text, refit }, index) =>
    refit === undefined ? (lengths[index] ?? codePoints(text)) : codePoints(refit(0)),
  );
  const room = max - sum(literals);
  const share = shareOf(
    composed.flatMap(({ refit }, index) =>
      refit === undefined ? [] : [(lengths[index] ?? 0) - (literals[index] ?? 0)],
    ),
    Math.max(0, room),
  );
  const fitted = composed.map(({ text, refit }, index) => {
    const most = (literals[index] ?? 0) + share;
    return refit === undefined || (lengths[index] ?? 0) <= most ? text : refit(most);
  });
  return room < 0 ? cutLast(fitted, composed, max) : fitted;
};
