import { type Program, parseTemplate, runProgram } from '@stanza/engine';
import { type Engine, type MessageData, template } from './message.ts';

const now = new Date('2026-11-21T08:30:00Z');

/** Parses a template that is known to be sound. */
export const parse = (blocks: readonly unknown[]): Program => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.program;
};

/** Runs a program over data that is known to fit. */
export const run = (program: Program, data: Record<string, unknown>): unknown => {
  const result = runProgram(program, data, { now });
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.blocks;
};

const program = parse(template);

/** The engine of this project, with everything that it does: escaping, limits, budgets, warnings, fallback text. */
export const ours: Engine = {
  name: 'stanza',
  hot: (data: MessageData) => run(program, data),
  cold: (data: MessageData) => run(parse(template), data),
};
