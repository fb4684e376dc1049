import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CommandProblem } from '../problem.ts';

/** The refusal of the system, with the name of the file and not that of the temporary one. */
const unwritable = (file: string, error: unknown): unknown => {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return error;
  if (error.code === 'EISDIR')
    return new CommandProblem(`${file} is a folder.`, 'Name a file, or move the folder away.');
  return error.code === 'ENOENT'
    ? new CommandProblem(`There is no folder ${dirname(file)}.`, 'Make it first, or name another file.')
    : new CommandProblem(`${file} cannot be written: ${error.code}.`, 'Let the command write there.');
};

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
    throw unwritable(file, error);
  }
};

/** Throws where {@link writeAtomically} would, as in a folder that is read-only. */
export const checkWritable = async (file: string): Promise<void> => {
  const beside = `${file}.${randomUUID()}.tmp`;
  await (await open(beside, 'wx')).close();
  await rm(beside);
};
