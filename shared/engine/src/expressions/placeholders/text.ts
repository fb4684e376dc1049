import { isList, jsonTypeOf } from '../../json.ts';
import { type ParseContext, report } from '../../parse/parse-context.ts';
import { describeReference, type Reference } from '../../run/frame.ts';
import { withAddresses } from '../../run/people.ts';
import { noteMissing, noteUnfit, type Run, spendEvaluations } from '../../run/run.ts';
import { isLonger } from '../../text/cut.ts';
import { isMarked, type TextKind } from '../../text/escape.ts';
import { bendsMarks, fitValues, plainOf, type Value, writeValue } from '../../text/fit.ts';
import { withoutLoneMarks } from '../../text/markdown.ts';
import { markPartOfEach } from '../../text/marks.ts';
import { MixedText } from '../../text/mixed-text.ts';
import type { Position } from '../../text/positions.ts';
import { SafeText } from '../../text/safe-text.ts';
import type { Region } from '../../text/scan.ts';
import { planText, type TextPlan } from '../../text/text-plan.ts';
import { marksOf } from '../filters/call.ts';
import { scalarText, textsOf } from '../filters/filter.ts';
import { richTextWords } from '../rich-text-words.ts';
import { evaluatorOf, noteRead } from './evaluate.ts';
import type { Reader } from './reference.ts';
import type { Scanned } from './scan.ts';

/** Writes the same text again in at most `room` characters. */
export type Refit = (room: number) => string;

/**
 * Makes the text of a string with placeholders, in at most `room` characters where the template's own text leaves them.
 * `keep` is given what writes the text of this run again, shorter.
 */
export type TextMaker = (run: Run, room: number, keep?: KeepRefit) => string;

type KeepRefit = (refit: Refit) => void;

/** Called where values are shortened, with the paths of these. */
export type NoteShortened = (run: Run, room: number, paths: readonly string[]) => void;

/** The length from which a value is charged, since even the part that is cut off has been read. */
const LONG_VALUE = 256;

interface Hole {
  readonly read: (run: Run) => Value;
  /** Reads the value and writes it behind the text before. */
  readonly put: (run: Run, before: string) => string;
  readonly position: Position;
  /** The code, the link or the style around, whose marks depend on the value. */
  readonly around: Region | undefined;
  readonly after: string;
}

/** What makes one text of the template. */
interface Writing {
  readonly head: string;
  readonly holes: readonly Hole[];
  /** UTF-16 units beyond which no value is written any more. */
  readonly most: number;
  readonly plan: TextPlan;
  readonly note: (run: Run, room: number, shortened: readonly number[]) => void;
}

/** A list of plain values reads as one text; an object has none. */
const textOfOther = (value: unknown): string | undefined =>
  isList(value) ? textsOf(value)?.join(', ') : scalarText(value);

/** Where a value is read, and the length from which it is cut before any work on it; it is still recognized as too long. */
interface Source {
  readonly reference: Reference;
  readonly pointer: string;
  readonly most: number;
}

const bounded = (text: string, most: number): string => (text.length > most ? text.slice(0, most) : text);

/** A value that is no string, as text. */
const readOther = (run: Run, given: unknown, { reference, pointer, most }: Source): Value => {
  if (given instanceof SafeText || given instanceof MixedText) return given;
  const value = withAddresses(run, given);
  const isNumber = typeof value === 'number' && !Number.isFinite(value);
  if (value === undefined || value === null || isNumber) {
    noteMissing(run, reference, pointer);
    return '';
  }
  if (isList(value)) spendEvaluations(run, value.length >> 3);
  const text = textOfOther(value) ?? richTextWords(value, run);
  if (text !== undefined) return bounded(text, most);
  const reason = `is ${jsonTypeOf(value)}, which is no text; name one of its fields or use the filter \`json\`.`;
  noteUnfit(run, reference, pointer, { rule: 'value.object', reason });
  return '';
};

const holeOf = (
  evaluate: Reader,
  source: Source,
  position: Position,
  around: Region | undefined,
  after: string,
): Hole => {
  const { write, takesMarks } = position;
  const { most } = source;
  return {
    read: (run) => {
      const value = evaluate(run);
      return typeof value === 'string' ? bounded(value, most) : readOther(run, value, source);
    },
    put: (run, before) => {
      const value = evaluate(run);
      if (typeof value === 'string') return write(bounded(value, most), before);
      // Digits are no marks, and most numbers stand in text.
      if (takesMarks && typeof value === 'number' && Number.isFinite(value)) return String(value);
      return writeValue(position, readOther(run, value, source), before);
    },
    position,
    around,
    after,
  };
};

/** Reads the values of a text once more, without a word of what is missing: that was noted the first time. */
const readAgain = (run: Run, holes: readonly Hole[]): Value[] => {
  const { missing, warnings, problems, dataProblems } = run;
  run.warnings = undefined;
  run.problems = undefined;
  run.dataProblems = undefined;
  try {
    return holes.map(({ read }) => read(run));
  } finally {
    run.missing = missing;
    run.warnings = warnings;
    run.problems = problems;
    run.dataProblems = dataProblems;
  }
};

/** Makes values fit that are too long, or that change the marks around them. */
const fit = (run: Run, { plan, note }: Writing, values: readonly Value[], room: number): string => {
  // Each value is written several times over, until it fits.
  spendEvaluations(run, values.reduce((sum, value) => sum + plainOf(value).length, 0) >> 2);
  const { text, shortened } = fitValues(plan, values, room);
  if (shortened.length > 0) note(run, room, shortened);
  return text;
};

/** Charges a text by what it has become, since even what is cut off has been read. */
const charge = (run: Run, count: number, length: number): void =>
  spendEvaluations(run, length > LONG_VALUE ? count + (length >> 6) : count);

/** Writes values that may change the marks around them, or whose text may be written again, shorter. */
const writeKept = (writing: Writing, run: Run, room: number, keep?: KeepRefit): string => {
  const { head, holes, most, plan } = writing;
  let text = head;
  let isBent = false;
  const values: Value[] = [];
  for (const { read, position, around, after } of holes) {
    const value = read(run);
    values.push(value);
    if (around !== undefined && !isBent) isBent = bendsMarks(around, value);
    if (text.length <= most) text += writeValue(position, value, text) + after;
  }
  charge(run, holes.length, text.length);
  keep?.((length) => fitValues(plan, values, length).text);
  return isBent || isLonger(text, room) ? fit(run, writing, values, room) : text;
};

/** Writes a text with one value, as most are. */
const makeOne = (writing: Writing, { put, after }: Hole): TextMaker => {
  const { head, holes } = writing;
  return (run, room, keep) => {
    if (keep !== undefined) return writeKept(writing, run, room, keep);
    const text = head + put(run, head) + after;
    charge(run, 1, text.length);
    // Few texts need their values twice, so that none keeps a list of them.
    return isLonger(text, room) ? fit(run, writing, readAgain(run, holes), room) : text;
  };
};

/** Writes one value after the other; past the limit they are still read, so that all missing ones are reported. */
const makeMany = (writing: Writing): TextMaker => {
  const { head, holes, most } = writing;
  return (run, room, keep) => {
    if (keep !== undefined) return writeKept(writing, run, room, keep);
    let text = head;
    for (const { read, put, after } of holes) {
      if (text.length > most) read(run);
      else text += put(run, text) + after;
    }
    charge(run, holes.length, text.length);
    return isLonger(text, room) ? fit(run, writing, readAgain(run, holes), room) : text;
  };
};

/** The paths of some of a text's values, each once. */
const pathsOf = ({ holes }: Scanned, indexes: readonly number[], run: Run): string[] => {
  const paths = indexes.flatMap((index) => {
    const reference = holes[index]?.placeholder.path.reference;
    return reference === undefined ? [] : [describeReference(reference, run.frame)];
  });
  return [...new Set(paths)];
};

/** Reports a value that would choose a broadcast; false then. */
const checkMarks = (pieces: readonly string[], context: ParseContext): boolean => {
  const mayBroadcast = pieces.some((piece) => piece.includes('<!'));
  if (!mayBroadcast || markPartOfEach(pieces).every((part) => part !== 'broadcast')) return true;
  report(context, 'placeholder.place', 'Data cannot choose what a `<!…>` tells whom.', {
    hint: 'Write `<!here>` itself inside an `#if`, or use the filters `mention` and `chat_date`.',
  });
  return false;
};

/**
 * Compiles a scanned string to a function that writes it with values made safe for their positions.
 *
 * @param max limit of the text in code points
 * @returns undefined when a value stands where none may, which is then reported
 */
export const textMakerOf = (
  scanned: Scanned,
  kind: TextKind,
  max: number,
  context: ParseContext,
  note?: NoteShortened,
): TextMaker | undefined => {
  const most = 2 * max + 2;
  const { pointer } = context;
  for (const { placeholder } of scanned.holes) noteRead(context, placeholder.path, 'text', placeholder);
  const given = [scanned.head];
  for (const { after } of scanned.holes) given.push(after);
  if (isMarked(kind) && !checkMarks(given, context)) return undefined;
  const pieces = kind === 'markdown' ? withoutLoneMarks(given) : given;
  const [head = '', ...afters] = pieces;
  const brought = scanned.holes.map(({ placeholder }) => marksOf(placeholder.filters));
  const plan = planText(pieces, kind, brought);
  const holes: Hole[] = [];
  for (const position of plan.positions) {
    const index = holes.length;
    const hole = scanned.holes[index];
    if (hole === undefined) break;
    const { placeholder } = hole;
    const { [index]: after = '' } = afters;
    const { reference } = placeholder.path;
    const kindThere = isMarked(kind) && !position.takesStyles ? 'plain' : kind;
    const evaluate = evaluatorOf(placeholder, kindThere, position, pointer);
    const around = plan.code[index] ?? plan.links[index];
    holes.push(holeOf(evaluate, { reference, pointer, most }, position, around, after));
  }
  const writing: Writing = {
    head,
    holes,
    most,
    plan,
    note: (run, room, shortened) => note?.(run, room, pathsOf(scanned, shortened, run)),
  };
  if (holes.some(({ around }) => around !== undefined)) {
    return (run, room, keep) => writeKept(writing, run, room, keep);
  }
  const [first] = holes;
  return first !== undefined && holes.length === 1 ? makeOne(writing, first) : makeMany(writing);
};
