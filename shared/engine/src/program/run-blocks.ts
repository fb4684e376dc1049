import { noteCut } from '../grammar/text.ts';
import { isList, isObject } from '../json.ts';
import { type LimitName, limits } from '../limits.ts';
import { overLimit } from '../parse/parse-context.ts';
import { formattersFor, isLocale, isTimeZone } from '../run/formatters.ts';
import type { People } from '../run/mentions.ts';
import { CappedList, listProblems, type Problem } from '../run/problem.ts';
import { BudgetSpent, budgetOf, listWarnings, noteProblem, type Run, startRun, warn } from '../run/run.ts';
import { codePoints } from '../text/cut.ts';
import { fitTogether } from '../text/together.ts';
import type { Program } from './parse-template.ts';
import { makeIdsUnique } from './unique-ids.ts';

/** Options of a run alongsides the data. */
export interface RunOptions {
  /** BCP 47; the request's, else the template's; en-US where neither says. */
  readonly locale?: string;
  /** That of the template, whose texts stand in where a language has none. */
  readonly ownLocale?: string | undefined;
  /** IANA name; the request's, else the template's; UTC where neither says. */
  readonly timezone?: string;
  /** A missing value is a problem instead of a warning. */
  readonly strict?: boolean;
  /** The moment that `time_ago` counts from. */
  readonly now: Date;
  /** The people who are mentioned by e-mail, of a second run; the result of a run without them lists the addresses. */
  readonly people?: People | undefined;
  /**
   * The part of the engine's limits of work that the run may spend before it throws {@link PartSpent}; all unless
   * given.
   */
  readonly part?: number;
}

/** Options of the run of a message. */
export interface MessageOptions extends RunOptions {
  /**
   * Entries of lists that the data does not fit are left out with a warning, where an ordinary run has a problem: an
   * odd item costs itself and not the message. Without effect in a strict run.
   */
  readonly leavesOut?: boolean;
}

/** A run was given a part of the engine's limits and needs more; with the same inputs, a whole run may end well. */
export class PartSpent extends Error {
  override readonly name = 'PartSpent';

  constructor() {
    super('the run needs more than the part of the limits that it was given');
  }
}

/** A block as the platform takes it. */
export type ChatBlock = { type: string; [key: string]: unknown };

/** Why a run made nothing: every problem at once. */
export interface Failed {
  readonly ok: false;
  /** `invalid_data` where the data alone is at fault. */
  readonly code: 'compilation_failed' | 'invalid_data';
  readonly problems: Problem[];
}

const checkOptions = ({ locale, timezone }: RunOptions): Problem[] => {
  const problems: Problem[] = [];
  if (locale !== undefined && !isLocale(locale)) {
    const message = `${JSON.stringify(locale.slice(0, 40))} is no known locale; give a BCP 47 tag like "en-GB".`;
    problems.push({ pointer: '', rule: 'locale', message });
  }
  if (timezone !== undefined && !isTimeZone(timezone)) {
    const message = `${JSON.stringify(timezone.slice(0, 64))} is no known time zone; give an IANA name like "Europe/Berlin".`;
    problems.push({ pointer: '', rule: 'timezone', message });
  }
  return problems;
};

const isBlock = (value: unknown): value is ChatBlock => isObject(value) && typeof value.type === 'string';

/** Markdown blocks share a limit: where they are too long together, their values are shortened. */
const fitMarkdown = (blocks: ChatBlock[], run: Run): ChatBlock[] => {
  const composed = run.together?.markdown;
  if (composed === undefined) return blocks;
  const { max } = limits['markdown.total'];
  const fitted = fitTogether(composed, max);
  if (fitted.every((text, index) => text === composed[index]?.text)) return blocks;
  let next = 0;
  return blocks.flatMap((block): ChatBlock[] => {
    if (block.type !== 'markdown') return [block];
    // A text whose block was left out has no block here.
    while (next < composed.length && composed[next]?.text !== block.text) next += 1;
    const { text: was = '', pointer = '' } = composed[next] ?? {};
    const text = fitted[next] ?? was;
    next += 1;
    if (text === was) return [block];
    run.text -= codePoints(was) - codePoints(text);
    noteCut(run, 'markdown.total', max, pointer);
    if (text !== '') return [{ ...block, text }];
    warn(run, 'empty.dropped', pointer, 'the markdown block is left out: there is no room for its text.');
    return [];
  });
};

/** The blocks that a run makes, each with an id of its own. */
export const emitBlocks = (program: Program, run: Run): ChatBlock[] => {
  const { blocks } = program;
  const emitted = blocks.fixed ? blocks.value : blocks.make(run);
  if (blocks.fixed) run.text += blocks.text;
  const list = fitMarkdown(isList(emitted) ? emitted.filter(isBlock) : [], run);
  return program.mayRepeatIds ? makeIdsUnique(list, run) : list;
};

/** Checks the output's true size against a limit where the estimate does not rule out a breach. */
export const checkBytes = (run: Run, output: unknown, limit: 'engine.output_bytes' | 'view.bytes'): void => {
  const { max } = limits[limit];
  // A UTF-16 unit takes six bytes at most, as an escape; an object’s marks are few.
  if (run.units * 6 + run.objects * 16 <= max) return;
  const bytes = new TextEncoder().encode(JSON.stringify(output)).length;
  if (bytes > max) noteProblem(run, overLimit('', limit, bytes));
};

/** All problems of a run, the one that ended it first. */
export const failed = (run: Run, first?: Problem): Failed => {
  const all = new CappedList<Problem>();
  if (first !== undefined) all.add(first);
  if (run.fault !== undefined) all.add(run.fault.problem);
  for (const list of [run.problems, run.dataProblems]) {
    for (const problem of list === undefined ? [] : listProblems(list)) all.add(problem);
  }
  const isRefused = first !== undefined || run.problems !== undefined || run.fault !== undefined;
  const code = isRefused ? 'compilation_failed' : 'invalid_data';
  return { ok: false, code, problems: listProblems(all) };
};

/** The warnings of a run as sentences. */
export const messagesOf = ({ warnings, leftOut }: Run): string[] =>
  [leftOut, warnings].flatMap((list) => (list ? listWarnings(list).map(({ message }) => message) : []));

const budgetProblem = (limit: LimitName, actual: number): Problem => ({
  ...overLimit('', limit, actual),
  rule: 'budget',
  message: `With this data the template does more than it may (limit \`${limit}\`): use \`max_items\`, or send less data.`,
});

const whole = budgetOf(1);

/**
 * Starts a run and checks it against the budgets. No JSON data makes it throw, and none of the inputs is changed.
 *
 * @param finish makes the result of the run
 * @throws PartSpent where the options give the run a part of the budgets, and it needs more
 */
export const runWithin = <R>(
  data: Readonly<Record<string, unknown>>,
  options: MessageOptions,
  finish: (run: Run) => R | Failed,
): R | Failed => {
  if (options.locale !== undefined || options.timezone !== undefined) {
    const problems = checkOptions(options);
    if (problems.length > 0) return { ok: false, code: 'invalid_data', problems };
  }
  const run = startRun({
    data,
    strict: options.strict ?? false,
    leavesOut: options.leavesOut === true && options.strict !== true,
    now: options.now.getTime(),
    formatters: formattersFor(options.locale ?? 'en-US', options.timezone ?? 'UTC'),
    people: options.people,
    budget: options.part === undefined ? whole : budgetOf(options.part),
  });
  try {
    return finish(run);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    // What is beyond the whole limit is so however much the run may spend.
    if (error.actual <= limits[error.limit].max) throw new PartSpent();
    return failed(run, budgetProblem(error.limit, error.actual));
  }
};
