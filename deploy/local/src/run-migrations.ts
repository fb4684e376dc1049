import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { inheritedEnvironment } from './environment.ts';
import { StackFailure } from './failure.ts';
import { lastLines } from './logs.ts';
import { isMigrated, migrationsHash, noteMigrated } from './migrated.ts';
import { projectRoot, scriptPath } from './project.ts';
import { sourceCondition } from './sources.ts';
import { tether } from './tether.ts';

/** Options of {@link runMigrations}. */
export interface MigrationRun {
  /** Address of the database, for the migrator; the process loads the migrations until it is there. */
  url: string | Promise<string>;
  logFile: string;
  /** True to run the migrations of the sources instead of those of the build. */
  fromSources: boolean;
  /** Whether an earlier start has migrated: the database is asked first then, which mostly spares the process. */
  hasStarted: boolean;
}

/** Runs all migrations in a separate process and waits for its end, unless those of the build were the last. */
export const runMigrations = async (run: MigrationRun): Promise<void> => {
  if (run.fromSources) return runChild(run);
  const hash = migrationsHash();
  // A database that cannot be asked is left to the process, which says what is wrong.
  if (run.hasStarted && (await isMigrated(await run.url, hash).catch(() => false))) return;
  await runChild(run);
  await noteMigrated(await run.url, hash);
};

const runChild = async ({ url, logFile, fromSources }: MigrationRun): Promise<void> => {
  const flags = fromSources ? [sourceCondition] : [];
  const line = tether().wrap(
    { command: process.execPath, args: [...flags, scriptPath('migration-child')] },
    'SIGTERM',
  );
  const log = openSync(logFile, 'a', 0o600);
  const child = spawn(line.command, line.args, {
    env: inheritedEnvironment(),
    cwd: projectRoot,
    detached: true,
    stdio: ['pipe', log, log],
  });
  closeSync(log);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  // A process that is gone takes no address; its exit is reported.
  child.stdin?.on('error', () => {});
  const [code] = await Promise.all([ended, sendUrl(child.stdin, url)]);
  if (code === 0) return;
  throw new StackFailure(
    ['The migrations failed.', ...lastLines(logFile, 10).map((text) => `    ${text}`)].join('\n'),
    `The whole log is in ${logFile}. If the data may be deleted, start again with "npm start -- --fresh".`,
  );
};

/** The end of its input without an address ends the process. */
const sendUrl = async (input: Writable | null, url: string | Promise<string>): Promise<void> => {
  try {
    input?.write(await url);
  } finally {
    input?.end();
  }
};
