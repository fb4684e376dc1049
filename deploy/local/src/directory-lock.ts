import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import type { StackDirectory } from './directory.ts';
import { codeOf, StackFailure } from './failure.ts';
import { identifyProcess, type ProcessIdentity, stillRuns } from './process-identity.ts';

const identitySchema = z.object({ pid: z.int(), started: z.string() });

/** The process that holds the lock; undefined where none holds it, or where the one that held it has ended. */
export const lockHolder = (path: string): ProcessIdentity | undefined => {
  try {
    const parsed = identitySchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
    return parsed.success && stillRuns(parsed.data) ? parsed.data : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
};

/**
 * Takes the lock for this process. Returns undefined on success, otherwise the holder. The file is linked into place
 * whole, so a half-written one is never mistaken for a stale one.
 */
export const takeLock = (path: string): ProcessIdentity | undefined => {
  const own = identifyProcess(process.pid);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(draft, path);
        return undefined;
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const holder = lockHolder(path);
      if (holder !== undefined) return holder;
      removeStale(path);
    }
  } finally {
    rmSync(draft, { force: true });
  }
};

/** Another start may have taken the lock between the check and the removal: that lock is restored. */
const removeStale = (path: string): void => {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
    if (lockHolder(aside) !== undefined) renameSync(aside, path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
};

/** Releases the lock if this process holds it. */
export const releaseLock = (path: string): void => {
  if (lockHolder(path)?.pid === process.pid) rmSync(path, { force: true });
};

/** The failure of a start in a folder with a running stack. */
export const alreadyRuns = ({ root }: StackDirectory, { pid }: ProcessIdentity): StackFailure =>
  new StackFailure(
    `A stack already runs in ${root} (process ${pid}).`,
    'Use that one, or stop it with "npm stop".',
  );
