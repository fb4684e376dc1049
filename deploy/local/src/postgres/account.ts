import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, lchown, lstat, mkdir, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StackFailure } from '../failure.ts';
import type { CommandLine } from '../tether.ts';
import { copyToTemp, type PostgresBinaries, postgresProgram } from './binaries.ts';

/** The user, the programs and the folder of a Postgres. */
export interface PostgresHome {
  binaries: PostgresBinaries;
  data: string;
  wrap: (line: CommandLine) => CommandLine;
  /** The user to switch to; absent when Postgres runs as its starter. */
  account?: { uid: number; gid: number };
  /** A note for people; absent in the ordinary case. */
  note?: string;
}

/** How Postgres, which refuses root, is started: as the starter, in a user namespace, or as another user. */
export type PostgresRunner = 'starter' | 'namespace' | 'nobody';

/** The customary number of the user and group without rights. */
const nobody = { uid: 65_534, gid: 65_534 };

const namespaceArgs = ['-U', '--map-user=1000', '--map-group=1000', '--'];

/**
 * The best runner on this system. For root a user namespace comes first, since it leaves data and programs where they
 * are.
 */
export const chooseRunner = (binaries: PostgresBinaries, folder: string): PostgresRunner => {
  if (process.getuid?.() !== 0) return 'starter';
  const probe = ['sh', '-c', '"$0" --version && test -w "$1"', postgresProgram(binaries, 'initdb'), folder];
  return spawnSync('unshare', [...namespaceArgs, ...probe]).status === 0 ? 'namespace' : 'nobody';
};

/** Prepares the home of the runner. `folder` is the existing folder for the data. */
export const makeHome = async (
  runner: PostgresRunner,
  binaries: PostgresBinaries,
  folder: string,
): Promise<PostgresHome> => {
  const data = join(folder, 'postgres');
  if (runner === 'nobody') return makeForeignHome(binaries, folder);
  if (runner === 'starter') return { binaries, data, wrap: (line) => line };
  await giveTree(data, { uid: 0, gid: 0 });
  return {
    binaries,
    data,
    wrap: ({ command, args }) => ({ command: 'unshare', args: [...namespaceArgs, command, ...args] }),
  };
};

const makeForeignHome = async (binaries: PostgresBinaries, folder: string): Promise<PostgresHome> => {
  const reaches = (path: string): boolean => spawnSync('test', ['-x', path], nobody).status === 0;
  const own = reaches(postgresProgram(binaries, 'initdb')) ? binaries : await copyToTemp(binaries);
  const reachable = reaches(folder);
  const data = reachable ? join(folder, 'postgres') : join(await ownFolder(foreignData(folder)), 'postgres');
  await giveTree(data, nobody);
  const home = { binaries: own, data, wrap: (line: CommandLine) => line, account: nobody };
  return reachable ? home : { ...home, note: `data in ${data}, since its user cannot enter ${folder}` };
};

/** Folder of the data when the user of Postgres cannot reach the stack's own folder. */
const foreignData = (folder: string): string =>
  join(tmpdir(), `stanza-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`);

const ownFolder = async (path: string): Promise<string> => {
  await mkdir(path, { recursive: true });
  const { uid } = await lstat(path);
  if (uid !== process.getuid?.()) {
    throw new StackFailure(
      `${path} belongs to another user.`,
      'Delete that folder, or point TMPDIR to one of your own.',
    );
  }
  await chmod(path, 0o711);
  return path;
};

/** Every folder in which `makeHome` may have put the data. */
export const dataFolders = (folder: string): string[] => [join(folder, 'postgres'), foreignData(folder)];

/** Changes the owner of a folder that an earlier start under another runner has created. */
const giveTree = async (path: string, owner: { uid: number; gid: number }): Promise<void> => {
  const present = await lstat(path).catch(() => undefined);
  if (present === undefined || present.uid === owner.uid) return;
  for (const entry of await readdir(path, { recursive: true })) {
    await lchown(join(path, entry), owner.uid, owner.gid);
  }
  await lchown(path, owner.uid, owner.gid);
};
