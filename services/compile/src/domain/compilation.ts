import { type Block, type Problem, type ProblemCode, problemsError } from '@stanza/contracts';
import { type ParseResult, parseTemplate, runProgram } from '@stanza/engine';
import { problemsOfTemplate, warningOfTemplate } from './pointers.ts';

/** A template version as the engine knows it: a program, or what is wrong with it. */
export type Parsed = ParseResult;

/** What a template is compiled with. */
export interface Inputs {
  data: Record<string, unknown>;
  /** A missing value is an error instead of a warning. */
  strict?: boolean | undefined;
  /** BCP 47. */
  locale?: string | undefined;
  /** IANA name. */
  timezone?: string | undefined;
}

/** How a template is compiled where the request does not say. */
export interface Defaults {
  strict: boolean;
  locale: string | null;
  timezone: string | null;
}

/** The inputs of a request, with what it leaves out taken from the template. */
export const withDefaults = (inputs: Inputs, defaults: Defaults): Inputs => ({
  data: inputs.data,
  strict: inputs.strict ?? defaults.strict,
  locale: inputs.locale ?? defaults.locale ?? undefined,
  timezone: inputs.timezone ?? defaults.timezone ?? undefined,
});

/** A message as the chat platform takes it, and what there is to say about it. */
export interface Compiled {
  ok: true;
  blocks: Block[];
  text: string;
  metadata?: Record<string, unknown> | undefined;
  warnings: string[];
  fieldsTruncated: number;
}

/** Why there is no message: every problem at once. */
export interface Refused {
  ok: false;
  code: ProblemCode;
  problems: Problem[];
}

/** Parses the blocks of a message: once, for any number of compiles. */
export const parse = (blocks: readonly unknown[], fallbackText: string | null): Parsed =>
  parseTemplate(blocks, { surface: 'message', ...(fallbackText !== null && { fallbackText }) });

/** Parses the blocks that an interaction brings, which read what their message has kept for them. */
export const parseSaved = (blocks: readonly unknown[], saved: ReadonlySet<string>): Parsed =>
  parseTemplate(blocks, { surface: 'message', saved });

const nothingLeft = 'Every block came out empty: there is nothing to send.';

/** Compiles a parsed template with data. Whoever saves, checks, compiles or sends blocks comes through here. */
export const compile = (parsed: Parsed, inputs: Inputs, now: Date): Compiled | Refused => {
  if (!parsed.ok)
    return { ok: false, code: 'compilation_failed', problems: problemsOfTemplate(parsed.problems) };
  const { data, strict, locale, timezone } = inputs;
  const result = runProgram(parsed.program, data, { strict, locale, timezone, now });
  if (!result.ok) return { ...result, problems: problemsOfTemplate(result.problems) };
  const { blocks, text, metadata, fieldsTruncated } = result;
  const warnings = result.warnings.map(warningOfTemplate);
  return {
    ok: true,
    blocks,
    text,
    metadata,
    warnings: blocks.length === 0 ? [...warnings, nothingLeft] : warnings,
    fieldsTruncated,
  };
};

/**
 * Compiles like {@link compile}.
 * @throws CodedError `compilation_failed` or `invalid_data` with every problem
 */
export const compileOrThrow = (parsed: Parsed, inputs: Inputs, now: Date): Compiled => {
  const result = compile(parsed, inputs, now);
  if (!result.ok) throw problemsError(result.code, result.problems);
  return result;
};
