import { isList, jsonTypeOf } from '../../json.ts';
import { type ParseContext, report } from '../../parse/parse-context.ts';
import { withAddresses } from '../../run/people.ts';
import { noteMissing, noteUnfit, type Run, spendEvaluations } from '../../run/run.ts';
import { cleanerOf, type TextKind } from '../../text/escape.ts';
import { holesInMarks, keepers } from '../../text/marks.ts';
import { SafeText, scalarText } from '../filters/filter.ts';
import { evaluatorOf, noteRead } from './evaluate.ts';
import type { Reader } from './reference.ts';
import type { Placeholder, Scanned } from './scan.ts';

/** Makes the text of a string with placeholders. */
export type TextMaker = (run: Run) => string;

/** The length from which a value is charged, since even the part that is cut off has been read. */
const LONG_VALUE = 256;

interface Hole {
  readonly write: TextMaker;
  readonly after: string;
  /** Keeps the value in its part of a mark that the template wrote, where it stands in one. */
  readonly keep: ((value: string, isFirst: boolean) => string) | undefined;
  readonly leavesOpen: boolean;
}

/** A list of plain values reads as one text; an object has none. */
const textOfOther = (value: unknown): string | undefined => {
  if (!isList(value)) return scalarText(value);
  const texts = value.map((item) => (item === null ? '' : scalarText(item)));
  return texts.every((item) => item !== undefined) ? texts.join(', ') : undefined;
};

const writerOf = (
  placeholder: Placeholder,
  kind: TextKind,
  most: number,
  context: ParseContext,
): TextMaker => {
  const { reference } = placeholder.path;
  const { pointer } = context;
  const clean = cleanerOf(kind);
  const evaluate: Reader = evaluatorOf(placeholder, kind, pointer);
  // A value far beyond the limit is cut before the work on it; the rest is still recognized as too long.
  const bounded = (text: string): string => clean(text.length > most ? text.slice(0, most) : text);
  const writeOther = (run: Run, given: unknown): string => {
    if (given instanceof SafeText) return given.text;
    const value = withAddresses(run, given);
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
    // A number needs no escaping.
    return typeof value === 'number' && Number.isFinite(value) ? String(value) : writeOther(run, value);
  };
};

/** Writes one after the other; past the limit values are still read, so that all missing ones are reported. */
const joinHoles =
  (head: string, holes: readonly Hole[], most: number): TextMaker =>
  (run) => {
    let text = head;
    let isOpen = false;
    for (const { write, after, keep, leavesOpen } of holes) {
      let value = write(run);
      if (keep !== undefined) value = keep(value, text.endsWith('<'));
      if (value.length > LONG_VALUE) spendEvaluations(run, value.length >> 6);
      if (text.length > most) continue;
      text += value + after;
      isOpen = leavesOpen;
    }
    spendEvaluations(run, holes.length);
    // The end of a mark may lie past the limit; the text is then cut before the mark, not inside it.
    return isOpen && text.length > most ? `${text}>` : text;
  };

/** Places of values among the marks of a text; undefined when data would choose a broadcast, which is reported. */
const parseMarks = (scanned: Scanned, context: ParseContext) => {
  const marks = holesInMarks(
    scanned.head,
    scanned.holes.map(({ after }) => after),
  );
  if (marks.every(({ part }) => part !== 'broadcast')) return marks;
  return report(context, 'placeholder.place', 'Data cannot choose what a `<!…>` tells whom.', {
    hint: 'Write `<!here>` itself inside an `#if`, or use the filters `mention` and `chat_date`.',
  });
};

/**
 * Compiles a scanned string to a function that writes it with values made safe for its kind of text.
 *
 * @param max limit of the text in code points; the function may write more, but never much more
 * @returns undefined when a value stands where none may, which is then reported
 */
export const textMakerOf = (
  scanned: Scanned,
  kind: TextKind,
  max: number,
  context: ParseContext,
): TextMaker | undefined => {
  const most = 2 * max + 2;
  for (const { placeholder } of scanned.holes) noteRead(context, placeholder.path, 'text', placeholder);
  const marked = kind === 'mrkdwn' || kind === 'markdown';
  const marks = marked ? parseMarks(scanned, context) : [];
  if (marks === undefined) return undefined;
  const holes = scanned.holes.map(({ placeholder, after }, index): Hole => {
    const { part, leavesOpen = false } = marks[index] ?? {};
    const keep = part && keepers[part];
    return { write: writerOf(placeholder, kind, most, context), after, keep, leavesOpen };
  });
  return joinHoles(scanned.head, holes, most);
};
