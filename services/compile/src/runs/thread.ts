import { LRUCache } from 'lru-cache';
import type { Parsed } from '../domain/compilation.ts';
import { memoryOf, parseSource, type TemplateSource } from './task.ts';
import { tasks } from './tasks.ts';

/** Memory for its programs, in bytes by estimate. */
const programBytes = 32_000_000;

const programsOfThread = new LRUCache<string, { parsed: Parsed; size: number }>({
  maxSize: programBytes,
  sizeCalculation: ({ size }) => size,
});

const parse = (source: TemplateSource): Parsed => {
  const { key } = source;
  if (key === undefined) return parseSource(source);
  const kept = programsOfThread.get(key);
  if (kept) return kept.parsed;
  const parsed = parseSource(source);
  programsOfThread.set(key, { parsed, size: memoryOf(source) });
  return parsed;
};

/**
 * Runs a task with all that the engine allows; a thread of `runs.ts` starts with this file.
 * @param order its name and its arguments, as JSON: a copy of many small objects takes ten times as long
 * @returns its result as JSON
 */
export default (order: string): string => {
  const { name, args } = JSON.parse(order);
  const task = tasks.find((it) => it.name === name);
  if (!task) throw new Error(`there is no task ${name}`);
  return JSON.stringify(task.run(args, { parse }));
};
