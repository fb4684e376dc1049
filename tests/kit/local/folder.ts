import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

/**
 * Makes folders for the tests of a file and deletes them after the last one.
 * @param end ends what works in them, before they are deleted: hooks run in the order of the file, and these folders are
 * usually asked for at its beginning
 */
export const testFolders = (end?: () => Promise<unknown>): (() => Promise<string>) => {
  const made: string[] = [];
  afterAll(async () => {
    await end?.();
    for (const folder of made) await rm(folder, { recursive: true, force: true });
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stanza-unit-'));
    made.push(folder);
    return folder;
  };
};
