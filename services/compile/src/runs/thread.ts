import { LRUCache } from 'lru-cache';
import type { Parsed } from '../domain/compilation.ts';
import { tasks } from './tasks.ts';
import { memoryOf, parseSource, type TemplateSource } from './template-source.ts';

/** A thread that does the work of the engine that would hold up everybody's: the file that it starts with. */

/** What a thread is told to do. */
interface Order {
  name: string;
  /** Those of the task of that name. */
  args: never;
}

/** Memory for its programs, in bytes by estimate. */
const programBytes = 32_000_000;

const programs = new LRUCache<string, { parsed: Parsed; size: number }>({
  maxSize: programBytes,
  sizeCalculation: ({ size }) => size,
});

const parse = (source: TemplateSource): Parsed => {
  const { key } = source;
  if (key === undefined) return parseSource(source);
  const kept = programs.get(key);
  if (kept) return kept.parsed;
  const parsed = parseSource(source);
  programs.set(key, { parsed, size: memoryOf(source) });
  return parsed;
};

/** Runs the task of a name with all that the engine allows. */
export default ({ name, args }: Order): unknown => {
  const task = tasks.find((it) => it.name === name);
  if (!task) throw new Error(`there is no task ${name}`);
  return task.run(args, { parse });
};
