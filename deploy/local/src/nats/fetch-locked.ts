import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeOf, StackFailure } from '../failure.ts';
import { projectRoot } from '../project.ts';

/** A package in the lock of the checkout: its version and the hash of its bytes. */
const lockedSchema = z.object({ version: z.string(), integrity: z.string().startsWith('sha512-') });

const lockSchema = z.object({ packages: z.record(z.string(), z.unknown()) });

const readLock = (): string => {
  try {
    return readFileSync(join(projectRoot, 'package-lock.json'), 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new StackFailure('package-lock.json is missing.', 'Restore the lock of this version.', {
      cause: error,
    });
  }
};

/** A manifest and a lock of one package, with the version and the hash of the checkout's lock. */
export const lockOf = (
  name: string,
  lockText: string,
): Record<'package.json' | 'package-lock.json', string> => {
  const { packages } = lockSchema.parse(JSON.parse(lockText));
  const locked = lockedSchema.safeParse(packages[`node_modules/${name}`]);
  if (!locked.success) {
    throw new StackFailure(`package-lock.json has no hash of ${name}.`, 'Restore the lock of this version.');
  }
  const { version, integrity } = locked.data;
  const root = { name: 'fetched', dependencies: { [name]: version } };
  const lock = {
    name: root.name,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, [`node_modules/${name}`]: { version, integrity } },
  };
  return { 'package.json': JSON.stringify(root), 'package-lock.json': JSON.stringify(lock) };
};

/** Runs the npm that started this process, otherwise that of the path, under this Node. */
const runNpm = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> =>
  new Promise((resolve, reject) => {
    const cli = env.npm_execpath;
    const [command, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
    const child = spawn(command, [...first, ...args], { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? '' : complaint.trim() || `npm ended with ${code}`));
  });

/**
 * Fetches a package that npm has skipped, which it does silently under a Node that is too old for the package. It is
 * installed only when its bytes match the hash of the checkout's lock, and its scripts are not run. It is prepared
 * next to its place first, so that concurrent starts do not collide.
 *
 * @returns the errors of npm
 */
export const fetchLocked = async (
  name: string,
  folder: string,
  { lockText = readLock(), env = process.env } = {},
): Promise<string> => {
  const draft = `${folder}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  try {
    for (const [file, content] of Object.entries(lockOf(name, lockText)))
      await writeFile(join(draft, file), content);
    // An audit would ask the registry about what the lock names already, and fails where the registry has none.
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', draft];
    const complaint = await runNpm(args, draft, env);
    if (complaint === '') await rename(draft, folder);
    return complaint;
  } catch (error) {
    if (codeOf(error) === 'ENOTEMPTY' || codeOf(error) === 'EEXIST') return '';
    throw error;
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};
