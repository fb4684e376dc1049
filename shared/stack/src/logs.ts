import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { copyFile, stat, truncate } from 'node:fs/promises';
import { codeOf } from './failure.ts';

/** Bytes a log may reach before it is moved aside; with its predecessor it takes at most twice that. */
export const logLimit = 32 * 1024 * 1024;

/**
 * Moves a log that has grown past its limit to `<file>.1` while its process goes on writing: the file is opened for
 * appending, so it can be emptied in place. Lines written between the copy and the emptying are lost.
 */
export const rotateLog = async (file: string, limit: number = logLimit): Promise<boolean> => {
  try {
    if ((await stat(file)).size <= limit) return false;
    await copyFile(file, `${file}.1`);
    await truncate(file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
};

/** The last lines of a log, for the report about a process that died. Empty when there is no log. */
export const lastLines = (file: string, count: number): string[] => {
  let handle: number | undefined;
  try {
    handle = openSync(file, 'r');
    const { size } = statSync(file);
    const length = Math.min(size, 64 * 1024);
    const bytes = Buffer.alloc(length);
    readSync(handle, bytes, 0, length, size - length);
    return bytes.toString('utf8').split('\n').filter(Boolean).slice(-count);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};
