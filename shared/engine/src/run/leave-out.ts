import { type LimitName, limitOf } from '../limits.ts';
import { describeReference } from './frame.ts';
import { CappedList, type Problem, type ProblemRule } from './problem.ts';
import type { Emit, Fault, Run, Warning } from './run.ts';

/** The entries that a run left out: their number, and the first of them with their reasons. */
export interface LeftOutList {
  readonly count: number;
  readonly entries: readonly Warning[];
}

/** What is said of entries that are left out. */
interface Note {
  readonly pointer: string;
  readonly story: string;
  readonly path?: string | undefined;
  /** Entries that it stands for; one unless given. */
  readonly entries?: number;
}

/**
 * Reasons in the words of the template. The message of a problem may show a part of the value; what is left out is read
 * by people who may not see the data.
 */
const reasons: Partial<Record<ProblemRule, string>> = {
  'value.object':
    'is an object or a list of objects, which is no text; name one of its fields or use the filter `json`',
  'value.form': 'does not have the form that is wanted here',
  'value.choice': 'is none of the values that are taken here',
  'value.type': 'is of a type that is not taken here',
};

const reasonOf = ({ rule, limit, actual }: Problem): string => {
  if (limit === undefined) return reasons[rule] ?? 'does not fit';
  const { max, unit } = limitOf(limit);
  return `is over its limit: at most ${max} ${unit} fit (limit \`${limit}\`), and there are ${actual ?? 'more'}`;
};

/** The item of the innermost loop, `events[2]`. */
const itemOf = ({ frame }: Run): string | undefined =>
  frame === undefined ? undefined : `${describeReference(frame.list, frame.parent)}[${frame.index}]`;

const faultOf = ({ fault }: Run): Fault | undefined => fault;

/** Notes that entries are left out. Never names a value. */
export const noteLeftOut = (run: Run, { pointer, story, path, entries = 1 }: Note): void => {
  const message = pointer === '' ? story : `${pointer}: ${story}`;
  run.leftOut ??= new CappedList();
  run.leftOut.add({ pointer, rule: 'entry.left_out', message, ...(path !== undefined && { path }) });
  run.leftOutCount += entries;
};

/** The entries that a run left out. */
export const leftOutOf = ({ leftOut, leftOutCount }: Run): LeftOutList => ({
  count: leftOutCount,
  entries: leftOut?.kept ?? [],
});

/** Notes the last entries of a list that is longer than its limit. */
export const noteOverflow = (run: Run, pointer: string, limit: LimitName, entries: number): void => {
  if (entries <= 0) return;
  const { max, unit } = limitOf(limit);
  const whose = itemOf(run);
  const story = `the last ${entries} of ${max + entries} entries are left out${whose === undefined ? '' : ` of the list of \`${whose}\``}: at most ${max} ${unit} fit here (limit \`${limit}\`).`;
  noteLeftOut(run, { pointer, story, path: whose, entries });
};

/** Notes a value outside of any list, if one was at fault: it counts as missing. */
export const noteUnusedValue = (run: Run): void => {
  const { fault } = run;
  if (fault === undefined) return;
  run.fault = undefined;
  const { problem, path } = fault;
  const { pointer } = problem;
  const subject = path === undefined ? 'the value' : `\`${path}\``;
  noteLeftOut(run, { pointer, path, story: `a value is left out: ${subject} ${reasonOf(problem)}.` });
};

/** Takes back what was added to a list, which may have begun again. */
const shorten = (list: unknown[] | undefined, length: number): void => {
  if (list !== undefined && list.length > length) list.length = length;
};

/** Remembers what a run has counted and noted; what is returned takes back what came after. Work stays counted. */
export const remember = (run: Run): (() => void) => {
  const { text, missing, fieldsTruncated, leftOutCount } = run;
  const totals = run.totals && new Map(run.totals);
  const [warnings, leftOut] = [run.warnings?.mark(), run.leftOut?.mark()];
  const interactions = run.interactions?.length ?? 0;
  const markdown = run.together?.markdown?.length ?? 0;
  const cells = run.together?.cells?.length ?? 0;
  return () => {
    Object.assign(run, { text, missing, fieldsTruncated, leftOutCount, totals });
    run.warnings?.rewind(warnings);
    run.leftOut?.rewind(leftOut);
    if (run.interactions !== undefined) run.interactions.length = interactions;
    shorten(run.together?.markdown, markdown);
    shorten(run.together?.cells, cells);
  };
};

/** Does what is not emitted in the end, and takes back all that it noted, problems too. Work stays counted. */
export const rehearse = <T>(run: Run, work: () => T): T => {
  const { skipped, fault, problems, dataProblems } = run;
  const takeBack = remember(run);
  Object.assign(run, { problems: undefined, dataProblems: undefined });
  const result = work();
  takeBack();
  Object.assign(run, { skipped, fault, problems, dataProblems });
  return result;
};

/**
 * Makes an entry of a list in a run that leaves out. Where its making meets a fault, what it counted and noted is taken
 * back, and the entry is noted as left out.
 *
 * @returns undefined where the entry is left out
 */
export const makeOrLeaveOut = <T>(run: Run, make: () => T): T | undefined => {
  const { fault: outer } = run;
  const takeBack = remember(run);
  run.fault = undefined;
  const made = make();
  const fault = faultOf(run);
  run.fault = outer;
  if (fault === undefined) return made;
  takeBack();
  const item = itemOf(run);
  const entry = item === undefined ? 'an entry' : `the entry of \`${item}\``;
  const subject = fault.path === undefined ? 'its value' : `\`${fault.path}\``;
  const story = `${entry} is left out: ${subject} ${reasonOf(fault.problem)}.`;
  noteLeftOut(run, { pointer: fault.problem.pointer, story, path: fault.path ?? item });
  return undefined;
};

/**
 * Emits an entry of a list in a run that leaves out; nothing where it meets a fault, or where the list is full.
 *
 * @param gap what stands in the place of an entry that is left out, where the entries belong to columns
 */
export const emitOrLeaveOut = (run: Run, out: unknown[], emit: Emit, gap?: unknown): void => {
  const { length } = out;
  const takeBack = length < run.room ? undefined : remember(run);
  const isMade = makeOrLeaveOut(run, () => {
    emit(run, out);
    return true;
  });
  if (isMade) {
    // Only now it is known that there is an entry: it might have come out empty.
    if (takeBack === undefined || out.length === length) return;
    takeBack();
    out.length = length;
    run.skipped += 1;
    return;
  }
  out.length = length;
  if (gap !== undefined && length < run.room) out.push(gap);
};

/** An entry that a run that leaves out may leave out. */
export const leavable =
  (emit: Emit): Emit =>
  (run, out) => {
    if (run.leavesOut) emitOrLeaveOut(run, out, emit);
    else emit(run, out);
  };

/** Gathers the entries of a list in a run that leaves out: those beyond the maximum are taken back. */
export const gatherFitting = (
  run: Run,
  limit: LimitName,
  pointer: string,
  emitAll: (out: unknown[]) => void,
): unknown[] => {
  const { room, skipped } = run;
  const out: unknown[] = [];
  run.room = limitOf(limit).max;
  run.skipped = 0;
  emitAll(out);
  noteOverflow(run, pointer, limit, run.skipped);
  run.room = room;
  run.skipped = skipped;
  return out;
};
