import {
  type ChatBlock,
  type MessageOptions,
  type Problem,
  parseTemplate,
  type RunResult,
  runProgram,
  type Surface,
} from '../index.ts';

/** When tests take place. */
export const now = new Date('2026-11-21T08:30:00Z');

/** Options of tests besides the blocks and the data. */
export type Options = Partial<MessageOptions> & { surface?: Surface; fallbackText?: string };

type Compiled = Extract<RunResult, { ok: true }>;

/** Parses and runs; a template that does not parse counts as a run that failed. */
export const attempt = (
  blocks: readonly unknown[],
  data: Record<string, unknown> = {},
  { surface = 'message', fallbackText, ...options }: Options = {},
): RunResult => {
  const parsed = parseTemplate(blocks, { surface, ...(fallbackText !== undefined && { fallbackText }) });
  if (!parsed.ok) return { ok: false, code: 'compilation_failed', problems: parsed.problems };
  return runProgram(parsed.program, data, { now, ...options });
};

/** Compiles blocks that are sound. */
export const compile = (
  blocks: readonly unknown[],
  data: Record<string, unknown> = {},
  options: Options = {},
): Compiled => {
  const result = attempt(blocks, data, options);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result;
};

/** The problems of blocks that are not. */
export const problemsOf = (
  blocks: readonly unknown[],
  data: Record<string, unknown> = {},
  options: Options = {},
): Problem[] => {
  const result = attempt(blocks, data, options);
  if (result.ok) throw new Error(`compiled: ${JSON.stringify(result.blocks)}`);
  return result.problems;
};

/** A section with this text in mrkdwn. */
export const section = (text: string, more: object = {}) => ({
  type: 'section',
  text: { type: 'mrkdwn', text },
  ...more,
});

/** A header with this text. */
export const header = (text: string) => ({ type: 'header', text: { type: 'plain_text', text } });

/** A directive. */
export const directive = (name: string, more: object) => ({ type: 'directive', directive: name, ...more });

const textIn = (block: ChatBlock): unknown => {
  const { text } = block;
  return typeof text === 'object' && text !== null && 'text' in text ? text.text : undefined;
};

/** The texts of the compiled blocks. */
export const textsOf = (blocks: readonly ChatBlock[]): unknown[] => blocks.map(textIn);

/** The result of a text in mrkdwn. */
export const written = (text: string, data: Record<string, unknown> = {}, options: Options = {}): unknown =>
  textsOf(compile([section(text)], data, options).blocks)[0];

/** The value at a pointer in a JSON value. */
export const resolvePointer = (root: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null
          ? Object.getOwnPropertyDescriptor(value, step)?.value
          : undefined,
      root,
    );
