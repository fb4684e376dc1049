import type { Parsed } from '../domain/compilation.ts';
import type { TemplateSource } from './template-source.ts';

/** What a thread offers to the tasks that it runs. */
export interface Place {
  /** The program of a source, parsed anew where the thread does not have it. */
  parse(source: TemplateSource): Parsed;
  /** The part of the engine's limits of work that a run may spend; all unless given. */
  part?: number;
}

/**
 * Work of the engine that any thread can do: its arguments and its result are JSON, and it depends on nothing else. It
 * throws `PartSpent` where its place allows a part of the work only, and it needs more.
 */
export interface Task<Arguments, Result> {
  /** Names the task to another thread. */
  readonly name: string;
  /** Characters of templates that it may have to parse, several times as many where it looks at them more than once. */
  charactersOf(args: Arguments): number;
  run(args: Arguments, place: Place): Result;
}
