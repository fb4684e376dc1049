import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The shell lines of a section of the README, as a reader would paste them. */
export const linesOf = async (section: string): Promise<string> => {
  const readme = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8');
  const text = readme.split(`\n## ${section}\n`)[1]?.split('\n## ')[0] ?? '';
  const [, block] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
  if (block === undefined) throw new Error(`the README has no shell lines under "${section}"`);
  return block;
};

/** Every JSON object that the lines printed, one after the other. */
export const answersIn = (output: string): unknown[] =>
  output
    .replaceAll('}{', '}\n{')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
