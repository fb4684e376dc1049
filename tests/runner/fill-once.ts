import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '@stanza/local/failure';
import { identifyProcess } from '@stanza/local/process-identity';

const draftMark = '.draft-';

/**
 * Makes the folder `name` below `parent`, unless it exists. It is filled under another name and renamed when whole: a
 * killed run leaves no half of it, and of two runs at once the later one drops its own. Answers whether this call made it.
 */
export const fillOnce = async (
  parent: string,
  name: string,
  fill: (folder: string) => Promise<void>,
): Promise<boolean> => {
  const folder = join(parent, name);
  if (existsSync(folder)) return false;
  await mkdir(parent, { recursive: true });
  const draft = await mkdtemp(`${folder}${draftMark}${process.pid}-`);
  try {
    await fill(draft);
    await rename(draft, folder);
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const isInProgress = (name: string): boolean => {
  const [, owner] = name.split(draftMark);
  return owner !== undefined && identifyProcess(Number.parseInt(owner, 10)) !== undefined;
};

/**
 * Deletes the folders below `parent` whose names begin with `prefix`: other versions than `current`, and drafts of
 * killed runs.
 */
export const removeLeftovers = async (parent: string, prefix: string, current: string): Promise<void> => {
  const names = (await readdir(parent)).filter((name) => name.startsWith(prefix) && name !== current);
  for (const name of names.filter((it) => !isInProgress(it)))
    await rm(join(parent, name), { recursive: true, force: true });
};
