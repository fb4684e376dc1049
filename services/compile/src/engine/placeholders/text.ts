import { SafeText, scalarText } from '../filters/filter.ts';
import { isList, jsonTypeOf } from '../json.ts';
import type { Place } from '../place.ts';
import { noteMissing, noteUnfit, type Run, spendEvaluations } from '../run.ts';
import { cleanerOf, disarmHead, type TextKind } from '../text/escape.ts';
import { evaluatorOf, noteRead } from './evaluate.ts';
import type { Reader } from './reference.ts';
import type { Placeholder, Scanned } from './scan.ts';

/** Makes the text of a string with placeholders. */
export type TextMaker = (run: Run) => string;

/** From here on a value's length is charged, since even what is cut off has been looked at. */
const LONG_VALUE = 256;

interface Hole {
  readonly write: TextMaker;
  readonly after: string;
  readonly mayBeHead: boolean;
}

/** A list of plain values reads as one text; an object has none. */
const textOfOther = (value: unknown): string | undefined => {
  if (!isList(value)) return scalarText(value);
  const texts = value.map((item) => (item === null ? '' : scalarText(item)));
  return texts.every((item) => item !== undefined) ? texts.join(', ') : undefined;
};

const writerOf = (placeholder: Placeholder, kind: TextKind, most: number, place: Place): TextMaker => {
  const { reference } = placeholder.path;
  const { pointer } = place;
  const clean = cleanerOf(kind);
  const evaluate: Reader = evaluatorOf(placeholder, kind, pointer);
  // A value far beyond the limit is cut before the work on it; what is left is still seen to be too long.
  const bounded = (text: string): string => clean(text.length > most ? text.slice(0, most) : text);
  const writeOther = (run: Run, value: unknown): string => {
    if (value instanceof SafeText) return value.text;
    const isNumber = typeof value === 'number' && !Number.isFinite(value);
    if (value === undefined || value === null || isNumber) {
      noteMissing(run, reference, pointer);
      return '';
    }
    if (isList(value)) spendEvaluations(run, value.length >> 3);
    const text = textOfOther(value);
    if (text !== undefined) return bounded(text);
    const reason = `is ${jsonTypeOf(value)}, which is no text; name one of its fields or use the filter \`json\`.`;
    noteUnfit(run, reference, pointer, { rule: 'value.object', reason });
    return '';
  };
  return (run) => {
    const value = evaluate(run);
    if (typeof value === 'string') return clean(value.length > most ? value.slice(0, most) : value);
    // A number has nothing to be made safe.
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : writeOther(run, value);
  };
};

/** Which holes may stand at the head of a `<…>` that the template wrote. */
const markHeads = (head: string, holes: readonly Hole[]): Hole[] => {
  let before = head;
  return holes.map((hole) => {
    const mayBeHead = before.endsWith('<');
    // An empty value leaves the next one at the head.
    before = mayBeHead && hole.after === '' ? before : hole.after;
    return { ...hole, mayBeHead };
  });
};

/** Writes one after the other; past the limit values are still read, so that all missing ones are told. */
const joinHoles =
  (head: string, holes: readonly Hole[], most: number): TextMaker =>
  (run) => {
    let text = head;
    for (const { write, after, mayBeHead } of holes) {
      let value = write(run);
      if (mayBeHead && text.endsWith('<')) value = disarmHead(value);
      if (value.length > LONG_VALUE) spendEvaluations(run, value.length >> 6);
      if (text.length <= most) text += value + after;
    }
    spendEvaluations(run, holes.length);
    return text;
  };

/**
 * Compiles a scanned string to a function that writes it with values made safe for its kind of text.
 *
 * @param max limit of the text in code points; the function may write more, but never much more
 */
export const textMakerOf = (scanned: Scanned, kind: TextKind, max: number, place: Place): TextMaker => {
  const most = 2 * max + 2;
  for (const { placeholder } of scanned.holes)
    noteRead(place, placeholder.path, 'text', placeholder.hasDefault);
  const holes = scanned.holes.map(({ placeholder, after }) => ({
    write: writerOf(placeholder, kind, most, place),
    after,
    mayBeHead: false,
  }));
  const marked = kind === 'mrkdwn' || kind === 'markdown';
  return joinHoles(scanned.head, marked ? markHeads(scanned.head, holes) : holes, most);
};
