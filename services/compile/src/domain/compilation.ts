import {
  type Block,
  type LeftOut,
  type MentionedPeople,
  namedLeftOut,
  type Problem,
  type ProblemCode,
} from '@stanza/contracts';
import {
  isList,
  type LeftOutList,
  type ParseResult,
  type Program,
  parseTemplate,
  type RunResult,
  runProgram,
} from '@stanza/engine';
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

const nothingLeft = 'Every block is empty: there is nothing to send.';

const presentLeftOut = ({ count, entries }: LeftOutList): LeftOut => ({
  count,
  entries: entries.slice(0, namedLeftOut).map(({ pointer, path = null, message }) => ({
    pointer: pointer === '' ? '' : pointerOfTemplate(pointer),
    path,
    message: warningOfTemplate(message),
  })),
});

const isSpent = (result: RunResult): boolean =>
  !result.ok &&
  result.problems.some(({ rule, limit }) => rule === 'budget' || limit === 'engine.output_bytes');

/** The result of a digest whose last events are left out, because all of them are too much work. */
const withoutLast = (result: RunResult, shown: number, all: number): RunResult => {
  if (!result.ok) return result;
  const more = all - shown;
  const message = `the last ${more} of ${all} events are left out: with them the template does more than it may.`;
  const { count = 0, entries = [] } = result.leftOut ?? {};
  const entry = { pointer: '', rule: 'entry.left_out', path: 'events', message } as const;
  const leftOut = { count: count + more, entries: [entry, ...entries] };
  return { ...result, warnings: [message, ...result.warnings], leftOut };
};

/**
 * Runs a template. A digest whose events are too much work is made of half of them, and again, until it can be made.
 * @throws PartSpent where the part of the engine's limits is not enough
 */
const runMessage = (program: Program, inputs: Inputs, now: Date, part: number | undefined): RunResult => {
  const { data, digest = false, strict, locale, timezone, people } = inputs;
  const options = { strict, locale, timezone, people, now, part, leavesOut: digest };
  let result = runProgram(program, data, options);
  const { events } = data;
  if (!digest || strict || !isList(events)) return result;
  for (let shown = events.length >> 1; shown > 0 && isSpent(result); shown >>= 1) {
    const fewer = { ...data, events: events.slice(0, shown) };
    result = withoutLast(runProgram(program, fewer, options), shown, events.length);
  }
  return result;
};

/**
 * Compiles a parsed template with data; used for saving, checking, compiling and sending alike.
 * @throws PartSpent where the part of the engine's limits is not enough
 */
export const compile = (parsed: Parsed, inputs: Inputs, now: Date, part?: number): Compiled | Refused => {
  if (!parsed.ok)
    return { ok: false, code: 'compilation_failed', problems: problemsOfTemplate(parsed.problems) };
  const result = runMessage(parsed.program, inputs, now, part);
  if (!result.ok) return { ...result, problems: problemsOfTemplate(result.problems) };
  const { blocks, text, metadata, fieldsTruncated, mentions, leftOut } = result;
  const warnings = result.warnings.map(warningOfTemplate);
  return {
    ok: true,
    blocks,
    text,
    metadata,
    warnings: blocks.length === 0 ? [...warnings, nothingLeft] : warnings,
    fieldsTruncated,
    ...(mentions && { mentions }),
    ...(leftOut && { leftOut: presentLeftOut(leftOut) }),
  };
};
