import { readFile } from 'node:fs/promises';
import { CommandProblem } from '../problem.ts';
import { parseJson } from './json-text.ts';

/** Whether an error says that a file or folder is not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** The text of a file; undefined where there is none. */
export const readText = async (file: string): Promise<string | undefined> => {
  try {
    const text = await readFile(file, 'utf8');
    // Editors of Windows begin a file with a byte order mark, which JSON does not have.
    return text.replace(/^\uFEFF/, '');
  } catch (error) {
    if (isMissing(error)) return undefined;
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
      throw new CommandProblem(`${file} is a folder.`, 'Name a file, or move the folder away.');
    throw error;
  }
};

/** The JSON in a file; undefined where there is no file. */
export const readJson = async (file: string): Promise<unknown> => {
  const text = await readText(file);
  return text === undefined ? undefined : parseJson(text, file);
};
