import type { JsonObject } from '../json.ts';
import { type LimitName, limits } from '../limits.ts';
import type { Composed, Group } from '../text/together.ts';
import type { Formatters } from './formatters.ts';
import { describeReference, type Frame, type Reference } from './frame.ts';
import type { Mentions, People } from './mentions.ts';
import { CappedList, type Problem, type ProblemRule } from './problem.ts';

/** Something that a run did with the data that its author may want to know; the message still compiles. */
export interface Warning {
  /** RFC 6901 pointer into the blocks as given. */
  readonly pointer: string;
  readonly rule:
    | 'value.missing'
    | 'value.not_list'
    | 'value.not_compared'
    | 'value.not_offered'
    | 'value.not_formatted'
    | 'mention.unknown'
    | 'text.cut'
    | 'empty.dropped'
    | 'id.repeated'
    | 'table.filled'
    | 'message.long'
    | 'message.no_text'
    | 'platform.unknown'
    | 'reference.unknown'
    | 'platform.disputed'
    | 'entry.left_out'
    | 'translations.missing'
    | 'translations.unused'
    | 'warnings.more';
  /** The warning in one sentence, pointer and path included; answers of the API carry this alone. Not stable. */
  readonly message: string;
  /** The path that was read, with the numbers of the loops' items, or of their entries of an object, in it. */
  readonly path?: string;
  /** What `reference.unknown` is not the id of. */
  readonly reference?: 'modal' | 'destination';
}

/** An element whose `interaction` goes to the message's metadata. */
export interface Interaction {
  /** The element as it was emitted; its `action_id` is read once ids are unique. */
  element: JsonObject;
  /** Its `action_id` in the template, without the suffix of a loop. */
  readonly templateId: string;
  readonly actions: readonly unknown[];
  /** The values that the actions read, by path as written. */
  readonly values: JsonObject;
  readonly pointer: string;
}

/** Why an entry cannot be made from the data. */
export interface Fault {
  readonly problem: Problem;
  /** The path of the value at fault, where there is one. */
  readonly path?: string;
}

/** What a run may do. */
export interface Budget {
  readonly objects: number;
  readonly units: number;
  readonly evaluations: number;
  readonly iterations: number;
}

/** The state of one run of a program. Counters grow while blocks are emitted and are checked against the budgets. */
export interface Run {
  readonly data: JsonObject;
  readonly strict: boolean;
  /** Entries of lists that the data does not fit are left out, in place of a problem. */
  readonly leavesOut: boolean;
  /** Epoch milliseconds that `time_ago` counts from. */
  readonly now: number;
  readonly formatters: Formatters;
  readonly budget: Budget;
  /** The people of the e-mail addresses that are mentioned; undefined in a run without look-ups. */
  readonly people: People | undefined;
  frame: Frame | undefined;
  /** Objects and lists emitted. */
  objects: number;
  /** UTF-16 units of all strings emitted, and a part of the keys: never more than their bytes, nor less than a sixth. */
  units: number;
  /** The most code points of text that people read: UTF-16 units, which are counted only where they are too many. */
  text: number;
  /** Placeholders evaluated, conditions tested, and the length of what filters work on. */
  evaluations: number;
  iterations: number;
  /** Values that a placeholder asked for and the data does not have. */
  missing: number;
  /** Texts that were cut at their limit. */
  fieldsTruncated: number;
  /** How many blocks of a kind there are whose number a message limits. */
  totals: Map<LimitName, number> | undefined;
  /** Texts that are fitted together, each group until it is known as a whole. */
  together: { [Name in Group]?: Composed[] } | undefined;
  // Most runs need none of these lists, so they are made when they are.
  /** Breaches of limits: the blocks do not compile. */
  problems: CappedList<Problem> | undefined;
  /** Values that do not fit the template. */
  dataProblems: CappedList<Problem> | undefined;
  warnings: CappedList<Warning> | undefined;
  interactions: Interaction[] | undefined;
  mentions: Mentions | undefined;
  // Of a run that leaves out.
  /** The first fault of the entry that is being made. */
  fault: Fault | undefined;
  /** Entries that fit into the list that is being made, and those that found no room in it. */
  room: number;
  skipped: number;
  leftOut: CappedList<Warning> | undefined;
  leftOutCount: number;
}

/** Emits any number of entries of a list. */
export type Emit = (run: Run, out: unknown[]) => void;

/** The inputs of a run. */
export type RunInputs = Pick<
  Run,
  'data' | 'strict' | 'leavesOut' | 'now' | 'formatters' | 'budget' | 'people'
>;

/** A part of what the limits of the engine allow. */
export const budgetOf = (part: number): Budget => ({
  objects: limits['engine.nodes'].max * part,
  units: limits['engine.output_bytes'].max * part,
  evaluations: limits['engine.evaluations'].max * part,
  iterations: limits['engine.iterations'].max * part,
});

/** The state of a run before its first block. */
export const startRun = ({ data, strict, leavesOut, now, formatters, budget, people }: RunInputs): Run => ({
  data,
  strict,
  leavesOut,
  now,
  formatters,
  budget,
  people,
  frame: undefined,
  objects: 0,
  units: 0,
  text: 0,
  evaluations: 0,
  iterations: 0,
  missing: 0,
  fieldsTruncated: 0,
  totals: undefined,
  together: undefined,
  problems: undefined,
  dataProblems: undefined,
  warnings: undefined,
  interactions: undefined,
  mentions: undefined,
  fault: undefined,
  room: Number.POSITIVE_INFINITY,
  skipped: 0,
  leftOut: undefined,
  leftOutCount: 0,
});

/** Notes a breach of a limit: the blocks do not compile. */
export const noteProblem = (run: Run, problem: Problem): void => {
  if (run.leavesOut) {
    run.fault ??= { problem };
    return;
  }
  run.problems ??= new CappedList();
  run.problems.add(problem);
};

/** Notes a value that does not fit the template; `path` is that of the value, where there is one. */
export const noteDataProblem = (run: Run, problem: Problem, path?: string): void => {
  if (run.leavesOut) {
    run.fault ??= { problem, ...(path !== undefined && { path }) };
    return;
  }
  run.dataProblems ??= new CappedList();
  run.dataProblems.add(problem);
};

/** Notes what the author may want to know. */
const noteWarning = (run: Run, warning: Warning): void => {
  run.warnings ??= new CappedList();
  run.warnings.add(warning);
};

/** Ends a run whose budget, or whose part of it, is spent. Caught where the run was started; never leaves the engine. */
export class BudgetSpent extends Error {
  readonly limit: LimitName;
  readonly actual: number;

  constructor(limit: LimitName, actual: number) {
    super(`${limit} is spent`);
    this.name = 'BudgetSpent';
    this.limit = limit;
    this.actual = actual;
  }
}

/** Charges emitted objects and their strings. */
export const spendOutput = (run: Run, objects: number, units: number): void => {
  run.objects += objects;
  run.units += units;
  if (run.objects > run.budget.objects) throw new BudgetSpent('engine.nodes', run.objects);
  if (run.units > run.budget.units) throw new BudgetSpent('engine.output_bytes', run.units);
};

/** Charges work that is not seen in the output. */
export const spendEvaluations = (run: Run, evaluations: number): void => {
  run.evaluations += evaluations;
  if (run.evaluations > run.budget.evaluations) throw new BudgetSpent('engine.evaluations', run.evaluations);
};

/** Charges the rounds of a loop before it starts. */
export const spendIterations = (run: Run, rounds: number): void => {
  run.iterations += rounds;
  if (run.iterations > run.budget.iterations) throw new BudgetSpent('engine.iterations', run.iterations);
};

/** Notes a missing value, once for each place: a warning, or in a strict run a problem. */
export const noteMissing = (run: Run, reference: Reference, pointer: string): void => {
  run.missing += 1;
  const noted = run.strict ? run.dataProblems : run.warnings;
  if (noted?.isFull) {
    noted.skip();
    return;
  }
  const path = describeReference(reference, run.frame);
  const message = run.strict
    ? `\`${path}\` is missing; add it to the data or give the placeholder a \`default\`.`
    : `${pointer}: \`${path}\` is missing, so nothing stands in its place.`;
  const rule = 'value.missing';
  // A text may read one path several times, and a loop may in each of its rounds.
  if (noted?.kept.some((entry) => entry.pointer === pointer && entry.message === message)) return;
  if (run.strict) noteDataProblem(run, { pointer, rule, message });
  else noteWarning(run, { pointer, rule, message, path });
};

/** Notes a value that cannot stand where the template puts it. */
export const noteUnfit = (
  run: Run,
  reference: Reference,
  pointer: string,
  unfit: { rule: ProblemRule; reason: string },
): void => {
  if (!run.leavesOut && run.dataProblems?.isFull) {
    run.dataProblems.skip();
    return;
  }
  const path = describeReference(reference, run.frame);
  const message = `\`${path}\` ${unfit.reason}`;
  noteDataProblem(run, { pointer, rule: unfit.rule, message }, path);
};

/** Number of warnings of a run, those of what it left out among them, and the first of them up to their cap. */
export const warningsOf = ({ warnings, leftOut }: Run): { count: number; first: readonly Warning[] } => ({
  count: (leftOut?.count ?? 0) + (warnings?.count ?? 0),
  first: [...(leftOut?.kept ?? []), ...(warnings?.kept ?? [])],
});

/** The warnings of a list, closed by a count of those beyond the cap. */
export const listWarnings = (warnings: CappedList<Warning>): Warning[] =>
  warnings.list((more) => ({
    pointer: '',
    rule: 'warnings.more',
    message: `${more} more warnings are not listed.`,
  }));

/** A warning without a path. */
export const warningAt = (rule: Warning['rule'], pointer: string, story: string): Warning => ({
  pointer,
  rule,
  message: pointer === '' ? story : `${pointer}: ${story}`,
});

/**
 * Notes an effect of a value, without a path. Returns undefined, which takes the place of the value.
 * @param story a function where it takes work to tell, which is done while there is room for it
 */
export const warn = (
  run: Run,
  rule: Warning['rule'],
  pointer: string,
  story: string | (() => string),
): undefined => {
  if (run.warnings?.isFull) run.warnings.skip();
  else noteWarning(run, warningAt(rule, pointer, typeof story === 'string' ? story : story()));
  return undefined;
};

/** Notes the warnings of a template in a run of it, and counts those that were not kept. */
export const warnOfProgram = (
  run: Run,
  { warnings, moreWarnings }: { readonly warnings: readonly Warning[]; readonly moreWarnings: number },
): void => {
  for (const warning of warnings) noteWarning(run, warning);
  run.warnings?.skip(moreWarnings);
};
