import { fallbackTextOf } from './fallback-text.ts';
import { type MessageMetadata, metadataOf } from './interactivity/metadata.ts';
import { formattersFor, isLocale, isTimeZone } from './intl/formatters.ts';
import { isList, isObject, type JsonObject } from './json.ts';
import { type LimitName, limits } from './limits.ts';
import type { Program } from './parse-template.ts';
import { overLimit } from './place.ts';
import { CappedList, listProblems, type Problem } from './problem.ts';
import { BudgetSpent, noteProblem, type Run, startRun, type Warning, warn } from './run.ts';
import { makeIdsUnique } from './unique-ids.ts';

/** What a run takes besides the data. */
export interface RunOptions {
  /** BCP 47; the request's, else the template's; en-US where neither says. */
  readonly locale?: string;
  /** IANA name; the request's, else the template's; UTC where neither says. */
  readonly timezone?: string;
  /** A missing value is a problem instead of a warning. */
  readonly strict?: boolean;
  /** What `time_ago` counts from. */
  readonly now: Date;
}

/** A block as the platform takes it. */
export type ChatBlock = { type: string; [key: string]: unknown };

/** What a run makes. */
export type RunResult =
  | {
      readonly ok: true;
      /** May be empty; whether that can be sent is for the caller to say. */
      readonly blocks: ChatBlock[];
      /** What notifications show, in mrkdwn. */
      readonly text: string;
      readonly metadata?: MessageMetadata;
      /** Each a sentence with the pointer, and the path where it is about one. */
      readonly warnings: string[];
      readonly fieldsTruncated: number;
    }
  | {
      readonly ok: false;
      /** `invalid_data` where the data alone is at fault. */
      readonly code: 'compilation_failed' | 'invalid_data';
      readonly problems: Problem[];
    };

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

const emitBlocks = (program: Program, run: Run): ChatBlock[] => {
  const { blocks } = program;
  const emitted = blocks.fixed ? blocks.value : blocks.make(run);
  if (blocks.fixed) run.text += blocks.text;
  const list = isList(emitted) ? emitted.filter(isBlock) : [];
  return program.mayRepeatIds ? makeIdsUnique(list, run) : list;
};

const textOf = ({ fallbackText }: Program, run: Run, blocks: readonly JsonObject[]): string => {
  if (fallbackText === undefined) return fallbackTextOf(blocks);
  const text = fallbackText.fixed ? fallbackText.value : fallbackText.make(run);
  return typeof text === 'string' && text !== '' ? text : fallbackTextOf(blocks);
};

const maxBytes = limits['engine.output_bytes'].max;

/** Holds the output's true size against the budget where the estimate does not rule it out. */
const checkBytes = (run: Run, blocks: readonly JsonObject[]): void => {
  // A UTF-16 unit takes six bytes at most, as an escape; an object’s marks are few.
  if (run.units * 6 + run.nodes * 16 <= maxBytes) return;
  const bytes = new TextEncoder().encode(JSON.stringify(blocks)).length;
  if (bytes > maxBytes) noteProblem(run, overLimit('', 'engine.output_bytes', bytes));
};

const checkLength = (run: Run, { surface }: Program, length: number): void => {
  const { max } = limits['message.text_total'];
  if (surface === 'view' || length <= max) return;
  const story = `the blocks hold ${length} characters of text; beyond about ${max} the platform may refuse the message.`;
  warn(run, 'message.long', '', story);
};

/** All problems of a run, the one that ended it first. */
const failed = (run: Run, first?: Problem): RunResult => {
  const all = new CappedList<Problem>();
  if (first !== undefined) all.add(first);
  for (const list of [run.problems, run.dataProblems]) {
    for (const problem of list === undefined ? [] : listProblems(list)) all.add(problem);
  }
  const code = first !== undefined || run.problems !== undefined ? 'compilation_failed' : 'invalid_data';
  return { ok: false, code, problems: listProblems(all) };
};

const messagesOf = ({ warnings }: Run): string[] => {
  if (warnings === undefined) return [];
  const rest = (more: number): Warning => ({
    pointer: '',
    rule: 'warnings.more',
    message: `${more} more warnings are not listed.`,
  });
  return warnings.list(rest).map(({ message }) => message);
};

const finish = (program: Program, run: Run): RunResult => {
  const blocks = emitBlocks(program, run);
  // The fallback text counts into the same sum, and is no block.
  const length = run.text;
  const text = textOf(program, run, blocks);
  const metadata = metadataOf(run);
  checkBytes(run, blocks);
  if (run.problems !== undefined || run.dataProblems !== undefined) return failed(run);
  checkLength(run, program, length);
  return {
    ok: true,
    blocks,
    text,
    ...(metadata && { metadata }),
    warnings: messagesOf(run),
    fieldsTruncated: run.cut,
  };
};

const budgetProblem = (limit: LimitName, actual: number): Problem => ({
  ...overLimit('', limit, actual),
  rule: 'budget',
  message: `With this data the template does more than it may (limit \`${limit}\`): use \`max_items\`, or send less data.`,
});

/**
 * Runs a program over data. The same program, data and options give the same result; no JSON data makes it throw, and
 * none of the inputs is changed. Blocks may share frozen parts with other results.
 */
export const runProgram = (
  program: Program,
  data: Readonly<Record<string, unknown>>,
  options: RunOptions,
): RunResult => {
  const problems = checkOptions(options);
  if (problems.length > 0) return { ok: false, code: 'invalid_data', problems };
  const run = startRun({
    data,
    strict: options.strict ?? false,
    now: options.now.getTime(),
    formatters: formattersFor(options.locale ?? 'en-US', options.timezone ?? 'UTC'),
  });
  try {
    return finish(program, run);
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error;
    return failed(run, budgetProblem(error.limit, error.actual));
  }
};
