import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file whole or not at all: a process that is killed leaves the one that was there, and a reader never sees half
 * of one. The new file has the mode from its first byte.
 */
export const writeAtomically = async (file: string, text: string, mode = 0o644): Promise<void> => {
  const beside = `${file}.${randomUUID()}.tmp`;
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
};

/** Throws where {@link writeAtomically} would, as in a folder that is read-only. */
export const checkWritable = async (file: string): Promise<void> => {
  const beside = `${file}.${randomUUID()}.tmp`;
  await (await open(beside, 'wx')).close();
  await rm(beside);
};
