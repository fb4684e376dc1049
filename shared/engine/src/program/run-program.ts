import { type MessageMetadata, metadataOf } from '../interactions/metadata.ts';
import { giveUniqueActionIds } from '../interactions/unique-action-ids.ts';
import type { JsonObject } from '../json.ts';
import { limits } from '../limits.ts';
import { type LeftOutList, leftOutOf, noteUnusedValue } from '../run/leave-out.ts';
import { wantedOf } from '../run/people.ts';
import { type Run, type Warning, warn, warningsOf, warnOfProgram } from '../run/run.ts';
import { lengthOf } from '../text/length-of.ts';
import { fallbackTextOf } from './fallback-text.ts';
import { fitInteractions } from './fit-interactions.ts';
import { leaveOutBeyondTotal } from './leave-out-beyond-total.ts';
import { warnOfNeighbours } from './neighbours.ts';
import type { Program } from './parse-template.ts';
import {
  type ChatBlock,
  checkBytes,
  emitBlocks,
  type Failed,
  failed,
  type MessageOptions,
  messagesOf,
  runWithin,
} from './run-blocks.ts';

/** A message that a run made. */
interface Made {
  readonly ok: true;
  /** May be empty; whether that can be sent is for the caller to say. */
  readonly blocks: ChatBlock[];
  /** The text of notifications, in mrkdwn. */
  readonly text: string;
  readonly metadata?: MessageMetadata;
  /** Each a sentence with the pointer, and the path where it is about one. */
  readonly warnings: string[];
  readonly fieldsTruncated: number;
  /** E-mail addresses that `mention` wants the people of, in lower case, for a second run; left out where there are none. */
  readonly mentions?: readonly string[];
  /** The entries that were left out; only where any was. */
  readonly leftOut?: LeftOutList;
}

/** The result of a run. */
export type RunResult = Made | Failed;

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const textOf = ({ fallbackText }: Program, run: Run, blocks: readonly JsonObject[]): string => {
  if (fallbackText === undefined) return fallbackTextOf(blocks);
  const text = fallbackText.fixed ? fallbackText.value : fallbackText.make(run);
  return typeof text === 'string' && text !== '' ? text : fallbackTextOf(blocks);
};

const checkLength = (run: Run, { surface }: Program, most: number, blocks: readonly JsonObject[]): void => {
  const { max } = limits['message.text_total'];
  if (surface === 'view' || most <= max) return;
  const length = lengthOf(blocks);
  if (length <= max) return;
  const story = `the blocks hold ${length} characters of text; beyond about ${max} the platform may refuse the message.`;
  warn(run, 'message.long', '', story);
};

/** Warns of what concerns the message as a whole. */
const checkMessage = (run: Run, { surface }: Program, blocks: readonly JsonObject[], text: string): void => {
  if (surface === 'view' || blocks.length === 0) return;
  warnOfNeighbours(run, blocks);
  if (text !== '') return;
  const story =
    'the blocks say nothing that a notification could show, so its text is empty; give the template a `fallback_text`.';
  warn(run, 'message.no_text', '', story);
};

const finish = (program: Program, run: Run): RunResult => {
  warnOfProgram(run, program);
  const emitted = emitBlocks(program, run);
  giveUniqueActionIds(run, emitted);
  // What the actions read is a part of the message, and may be too much of it.
  const blocks = run.leavesOut ? fitInteractions(leaveOutBeyondTotal(emitted, run), run) : emitted;
  // The fallback text counts into the same sum, and is no block.
  const length = run.text;
  const text = textOf(program, run, blocks);
  if (run.leavesOut) noteUnusedValue(run);
  const metadata = metadataOf(run);
  checkBytes(run, blocks, 'engine.output_bytes');
  if (run.problems !== undefined || run.dataProblems !== undefined || run.fault !== undefined)
    return failed(run);
  checkLength(run, program, length, blocks);
  checkMessage(run, program, blocks, text);
  const mentions = wantedOf(run);
  const result: Writable<Made> = {
    ok: true,
    blocks,
    text,
    warnings: messagesOf(run),
    fieldsTruncated: run.fieldsTruncated,
  };
  // Few messages have one of these, and spreads of nothing are a tenth of the time of a short message.
  if (metadata !== undefined) result.metadata = metadata;
  if (mentions !== undefined) result.mentions = mentions;
  if (run.leftOut !== undefined) result.leftOut = leftOutOf(run);
  return result;
};

/** Runs the program in the language of the run; most templates are in one. */
const finishIn = (program: Program, run: Run, { locale, ownLocale }: MessageOptions): RunResult => {
  if (program.inLanguage === undefined) return finish(program, run);
  const parsed = program.inLanguage({ locale: locale ?? ownLocale, own: ownLocale });
  return parsed.ok
    ? finish(parsed.program, run)
    : { ok: false, code: 'compilation_failed', problems: parsed.problems };
};

/** The result of a run, and its warnings one by one. */
export type ResultWithWarnings =
  | (Made & {
      /** Number of warnings, and the first of them. */
      readonly warningList: { readonly count: number; readonly first: readonly Warning[] };
    })
  | Failed;

/** Runs a program like {@link runProgram}, and lists the warnings with their rules. */
export const runWithWarnings = (
  program: Program,
  data: Readonly<Record<string, unknown>>,
  options: MessageOptions,
): ResultWithWarnings =>
  runWithin<ResultWithWarnings>(data, options, (run) => {
    const result = finishIn(program, run, options);
    return result.ok ? { ...result, warningList: warningsOf(run) } : result;
  });

/**
 * Runs a program over data. The same program, data and options give the same result; no JSON data makes it throw, and
 * none of the inputs is changed. Blocks may share frozen values with other results.
 */
export const runProgram = (
  program: Program,
  data: Readonly<Record<string, unknown>>,
  options: MessageOptions,
): RunResult => runWithin<RunResult>(data, options, (run) => finishIn(program, run, options));
