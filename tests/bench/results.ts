import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The parts of `results.md` that programs write; all else in it is written by people, and stays. */
export type ResultPart = 'budgets' | 'replicas' | 'cost' | 'soak';

const file = join(import.meta.dirname, 'results.md');

const openOf = (part: ResultPart): string => `<!-- ${part}: written by a program -->`;
const closeOf = (part: ResultPart): string => `<!-- /${part} -->`;

/** Where the text of a part begins and ends. */
const boundsOf = (text: string, part: ResultPart): [number, number] => {
  const begin = text.indexOf(openOf(part));
  const end = text.indexOf(closeOf(part));
  if (begin < 0 || end < begin) throw new Error(`results.md has no part ${part}`);
  return [begin + openOf(part).length, end];
};

/** What a part says now. */
export const readResults = async (part: ResultPart): Promise<string> => {
  const text = await readFile(file, 'utf8');
  return text.slice(...boundsOf(text, part));
};

/** Replaces what a part says. */
export const writeResults = async (part: ResultPart, said: string): Promise<void> => {
  const text = await readFile(file, 'utf8');
  const [begin, end] = boundsOf(text, part);
  await writeFile(file, `${text.slice(0, begin)}\n\n${said}\n\n${text.slice(end)}`);
  console.log(`written to tests/bench/results.md: ${part}`);
};
