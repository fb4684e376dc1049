import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { copyFile, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './failure.ts';

/** Size of a log at which it is moved aside, bytes; with its predecessor it takes at most twice that. */
export const logLimit = 32 * 1024 * 1024;

/**
 * Moves a log over its limit to `<file>.1` while its process keeps writing: the file is opened for appending, so it can
 * be emptied in place. Lines written between the copy and the emptying are lost.
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

const careEveryMs = 30_000;

/** Rotates the logs of a folder periodically; returns a function that stops it. */
export const keepLogsSmall = (folder: string): (() => void) => {
  const timer = setInterval(async () => {
    try {
      const files = (await readdir(folder)).filter((name) => name.endsWith('.log'));
      for (const name of files) await rotateLog(join(folder, name));
    } catch (error) {
      console.error(`The logs in ${folder} could not be rotated:`, error);
    }
  }, careEveryMs);
  timer.unref();
  return () => clearInterval(timer);
};
