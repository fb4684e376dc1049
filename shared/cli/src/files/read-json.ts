import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { CommandProblem } from '../problem.ts';
import { parseJson } from './json-text.ts';

/** Whether an error says that a file or folder is not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

/** The text of bytes, without the byte order mark with which editors of Windows begin a file. */
const decoded = (bytes: Uint8Array, file: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // What is no text in UTF-8 would be read with other characters in its place, and pushed so.
    throw new CommandProblem(`${file} is not in UTF-8.`, 'Save it in that encoding, without or with a mark.');
  }
};

/** Refuses a link to nothing: what it was to hold would count as taken away, which a push does there too. */
const checkLink = async (file: string): Promise<void> => {
  const found = await lstat(file).catch((error) => {
    if (!isMissing(error)) throw error;
  });
  if (found?.isSymbolicLink())
    throw new CommandProblem(`${file} is a link that leads nowhere.`, 'Correct the link, or delete it.');
};

/** The text of a file; undefined where there is none. */
export const readText = async (file: string): Promise<string | undefined> => {
  try {
    return decoded(await readFile(file), file);
  } catch (error) {
    if (isMissing(error)) {
      await checkLink(file);
      return undefined;
    }
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR')
      throw new CommandProblem(`${file} is a folder.`, 'Name a file, or move the folder away.');
    throw error;
  }
};

/**
 * What is in a folder, sorted by name, without what begins with a dot and is of other programs; nothing where there is no
 * folder. A file in its place, as a link that Git has written as a text, would count as a folder from which all is gone.
 */
export const entriesOf = async (folder: string): Promise<Dirent[]> => {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (!isMissing(error)) throw error;
    await checkLink(folder);
    if (Object(error).code === 'ENOTDIR')
      throw new CommandProblem(`${folder} is no folder.`, 'Make a folder of it, or delete it.');
    return [];
  }
};

/** What is read; undefined where that fails, and what is broken counts as not there. */
export const unlessBroken = async <T>(counts: boolean, read: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await read();
  } catch (error) {
    if (counts && error instanceof CommandProblem) return undefined;
    throw error;
  }
};

/** The JSON in a file; undefined where there is no file. */
export const readJson = async (file: string): Promise<unknown> => {
  const text = await readText(file);
  return text === undefined ? undefined : parseJson(text, file);
};
