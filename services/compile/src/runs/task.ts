import { countLanguages } from '@stanza/engine';
import { type Parsed, parse, parseSaved } from '../domain/compilation.ts';

/** What a thread offers to the tasks that it runs. */
export interface TaskContext {
  /** The program of a source, parsed again where the thread does not have it. */
  parse(source: TemplateSource): Parsed;
  /** The part of the engine's limits of work that a run may spend; all unless given. */
  part?: number;
}

/**
 * Work of the engine that any thread can do: its arguments and its result are JSON, and it depends on nothing else. It
 * throws `PartSpent` where its context allows a part of the work only, and it needs more.
 */
export interface Task<Arguments, Result> {
  /** Names the task to another thread. */
  readonly name: string;
  /** Characters of templates that it may have to parse, several times as many where it looks at them more than once. */
  charactersOf(args: Arguments): number;
  run(args: Arguments, context: TaskContext): Result;
}

/** What a program is parsed from: data alone, so that another thread can parse it too. */
export interface TemplateSource {
  /** The same for sources that are the same; undefined for those that are used once. */
  readonly key?: string;
  /** The blocks as JSON. */
  readonly json: string;
  readonly fallbackText: string | null;
  /** How many languages its texts are in, where there are such texts: each may become a program. */
  readonly languages?: number;
  /** For blocks of an interaction: the values that their message has stored. */
  readonly saved?: readonly string[];
}

/** The source of blocks that are not a stored version. */
export const sourceOf = (blocks: readonly unknown[], fallbackText: string | null): TemplateSource => {
  const languages = countLanguages(blocks);
  return { json: JSON.stringify(blocks), fallbackText, ...(languages > 0 && { languages }) };
};

/** Characters that parsing reads. */
export const charactersOf = ({ json, fallbackText }: TemplateSource): number =>
  json.length + (fallbackText?.length ?? 0);

/**
 * Bytes of memory for each character of the JSON of a parsed template; measured for messages of five and of fifty
 * sections.
 */
const bytesOfCharacter = 35;

/** Bytes of memory that a source takes with its program, by estimate. */
export const memoryOf = (source: TemplateSource): number =>
  charactersOf(source) * (bytesOfCharacter * (source.languages ?? 1) + 1);

/** Parses a source; what it makes cannot leave its thread. */
export const parseSource = ({ json, fallbackText, saved }: TemplateSource): Parsed => {
  const blocks: unknown[] = JSON.parse(json);
  return saved ? parseSaved(blocks, new Set(saved)) : parse(blocks, fallbackText);
};
