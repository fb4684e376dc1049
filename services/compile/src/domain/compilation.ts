import {
  type Block,
  type LeftOut,
  type MentionedPeople,
  namedLeftOut,
  type Problem,
  type ProblemCode,
  problemsError,
} from '@stanza/contracts';
import {
  isList,
  type LeftOutList,
  type MessageOptions,
  type ParseResult,
  type Program,
  parseTemplate,
  placeIn,
  type RunResult,
  runProgram,
} from '@stanza/engine';
import { runDigest } from './digest.ts';
import { pointerOfTemplate, problemsOfTemplate, warningOfTemplate } from './pointers.ts';

/** A parsed template version: a program, or its problems. */
export type Parsed = ParseResult;

/** The inputs of a compile. */
export interface Inputs {
  data: Record<string, unknown>;
  /** A missing value is an error instead of a warning. */
  strict?: boolean | undefined;
  /** BCP 47. */
  locale?: string | undefined;
  /** That of the template, whose texts stand in where a language has none. */
  ownLocale?: string | undefined;
  /** IANA name. */
  timezone?: string | undefined;
  /** The people who are mentioned by e-mail, of the second compile of a send. */
  people?: MentionedPeople | undefined;
  /** The message is a digest of `data.events`: unless strict, entries that they do not fit are left out. */
  digest?: boolean | undefined;
}

/** A template's defaults for compiling. */
export interface Defaults {
  strict: boolean;
  locale: string | null;
  timezone: string | null;
}

/** The inputs of a request, with the template's defaults. */
export const withDefaults = (inputs: Inputs, defaults: Defaults): Inputs => ({
  data: inputs.data,
  strict: inputs.strict ?? defaults.strict,
  locale: inputs.locale ?? defaults.locale ?? undefined,
  ownLocale: defaults.locale ?? undefined,
  timezone: inputs.timezone ?? defaults.timezone ?? undefined,
  people: inputs.people,
  digest: inputs.digest,
});

/** A message in the chat platform's form, and its warnings. */
export interface Compiled {
  ok: true;
  blocks: Block[];
  text: string;
  metadata?: Record<string, unknown> | undefined;
  warnings: string[];
  fieldsTruncated: number;
  /** E-mail addresses whose people are mentioned, where the inputs do not name them. */
  mentions?: readonly string[] | undefined;
  /** Of a digest that left out anything. */
  leftOut?: LeftOut | undefined;
}

/** A failed compile, with all problems. */
export interface Refused {
  ok: false;
  code: ProblemCode;
  problems: Problem[];
}

/** Parses the blocks of a message, for any number of compiles. */
export const parse = (blocks: readonly unknown[], fallbackText: string | null): Parsed =>
  parseTemplate(blocks, { surface: 'message', ...(fallbackText !== null && { fallbackText }) });

/** Parses the blocks of an interaction, which read the stored values of their message. */
export const parseSaved = (blocks: readonly unknown[], saved: ReadonlySet<string>): Parsed =>
  parseTemplate(blocks, { surface: 'message', saved });

/** A template with its own texts, where it has texts in languages: what it reads of the data is what they read. */
export const inOwnLanguage = (parsed: Parsed, ownLocale: string | undefined): Parsed =>
  (parsed.ok ? parsed.program.inLanguage?.({ locale: ownLocale, own: ownLocale }) : undefined) ?? parsed;

const nothingLeft = 'Every block is empty: there is nothing to send.';

const presentLeftOut = ({ count, entries }: LeftOutList, partials: Program['partials']): LeftOut => ({
  count,
  entries: entries.slice(0, namedLeftOut).map(({ pointer, path = null, message }) => ({
    pointer: pointer === '' ? '' : pointerOfTemplate(placeIn(partials, pointer).pointer),
    path,
    message: warningOfTemplate(message, partials),
  })),
});

type Data = Inputs['data'];
type OverEvents<Result> = (count: number, run: (shown: readonly number[]) => Result) => Result;

/**
 * Runs a template over data; over those of a digest by `overEvents`, without the events that are more work than a run may
 * do.
 */
export const runOver = <Result>(
  data: Data,
  { strict, leavesOut }: Pick<MessageOptions, 'strict' | 'leavesOut'>,
  overEvents: OverEvents<Result>,
  run: (data: Data) => Result,
): Result => {
  const { events } = data;
  if (!leavesOut || strict || !isList(events)) return run(data);
  return overEvents(events.length, (shown) => {
    const isWhole = shown.length === events.length;
    return run(isWhole ? data : { ...data, events: shown.map((at) => events[at]) });
  });
};

/** @throws PartSpent where the part of the engine's limits is not enough */
const runMessage = (program: Program, inputs: Inputs, now: Date, part: number | undefined): RunResult => {
  const { data, digest = false, strict, locale, ownLocale, timezone, people } = inputs;
  const options = { strict, locale, ownLocale, timezone, people, now, part, leavesOut: digest };
  return runOver(data, options, runDigest, (given) => runProgram(program, given, options));
};

/**
 * Compiles a parsed template with data; used for saving, checking, compiling and sending alike.
 * @throws PartSpent where the part of the engine's limits is not enough
 */
export const compile = (parsed: Parsed, inputs: Inputs, now: Date, part?: number): Compiled | Refused => {
  const { partials } = parsed.ok ? parsed.program : parsed;
  if (!parsed.ok)
    return { ok: false, code: 'compilation_failed', problems: problemsOfTemplate(parsed.problems, partials) };
  const result = runMessage(parsed.program, inputs, now, part);
  if (!result.ok) return { ...result, problems: problemsOfTemplate(result.problems, partials) };
  const { blocks, text, metadata, fieldsTruncated, mentions, leftOut } = result;
  const warnings = result.warnings.map((warning) => warningOfTemplate(warning, partials));
  return {
    ok: true,
    blocks,
    text,
    metadata,
    warnings: blocks.length === 0 ? [...warnings, nothingLeft] : warnings,
    fieldsTruncated,
    ...(mentions && { mentions }),
    ...(leftOut && { leftOut: presentLeftOut(leftOut, partials) }),
  };
};

/**
 * What was made.
 * @throws CodedError `compilation_failed` or `invalid_data` with every problem, where nothing was
 */
export const madeOrThrow = <Made extends { ok: true }>(result: Made | Refused): Made => {
  if (!result.ok) throw problemsError(result.code, result.problems);
  return result;
};

/** The e-mail addresses that a compile would mention the people of, as its answer lists them. */
export const wantedBy = ({
  mentions,
}: {
  mentions?: readonly string[] | undefined;
}): { mentions?: string[] } => (mentions === undefined ? {} : { mentions: [...mentions] });
