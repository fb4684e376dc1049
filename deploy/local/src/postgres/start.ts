import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withClient } from '../database-client.ts';
import { inheritedEnvironment } from '../environment.ts';
import { codeOf, StackFailure } from '../failure.ts';
import { freePorts, loopback, portTrouble } from '../ports.ts';
import { type ProcessEvents, type ProcessSpec, SupervisedProcess } from '../supervised-process.ts';
import { tether } from '../tether.ts';
import { startPatienceMs } from '../wait.ts';
import { chooseRunner, makeHome, type PostgresHome, type PostgresRunner } from './account.ts';
import { findPostgres, postgresProgram } from './binaries.ts';
import { clearLeftovers } from './leftovers.ts';
import { postgresSettings, settingsArgs } from './settings.ts';

/** The database that the services use. */
export const databaseName = 'stanza';
const superuser = 'postgres';

/** Options of {@link preparePostgres}. */
export interface PostgresOptions {
  /** Holds the data in `postgres`; it exists. */
  folder: string;
  logFile: string;
  port: number;
  /** The superuser's password. */
  password: string;
  events?: ProcessEvents;
  /** For tests: a runner that this system would not choose. */
  runner?: PostgresRunner;
}

/** A prepared Postgres, not yet started. */
export interface PreparedPostgres {
  process: SupervisedProcess;
  /** Address of the `stanza` database as superuser; it exists after `createDatabase`. */
  url: string;
  version: string;
  /** A note for people about its place. */
  note?: string;
  /** Creates the database when there is none yet; once the process is ready. */
  createDatabase: () => Promise<void>;
}

/** Finds the programs, chooses their user, and creates a missing cluster. */
export const preparePostgres = async (options: PostgresOptions): Promise<PreparedPostgres> => {
  const binaries = await findPostgres();
  const runner = options.runner ?? chooseRunner(binaries, options.folder);
  const home = await makeHome(runner, binaries, options.folder);
  await checkCluster(home);
  if (!existsSync(home.data)) await createCluster(home, options.password);
  await clearLeftovers(home.data);
  const url = (database: string): string =>
    `postgres://${superuser}:${options.password}@${loopback}:${options.port}/${database}`;
  return {
    process: new SupervisedProcess(processSpec(home, options, url('postgres')), options.events),
    url: url(databaseName),
    version: binaries.version,
    ...(home.note === undefined ? {} : { note: home.note }),
    createDatabase: () => createDatabase(url('postgres')),
  };
};

const anyPort = async (): Promise<number> => {
  const [port = 0] = await freePorts(1);
  return port;
};

/** Ports that are tried before a start fails. */
const maxPorts = 3;

/**
 * Prepares and starts a Postgres with an empty `stanza` database, for tests. Another program may take the port between
 * its choice and the start; then another port is chosen.
 */
export const startPostgres = async (
  options: Omit<PostgresOptions, 'port'>,
  choosePort = anyPort,
): Promise<PreparedPostgres> => {
  for (let tried = 1; ; tried++) {
    const port = await choosePort();
    const prepared = await preparePostgres({ ...options, port });
    try {
      await prepared.process.start();
      await prepared.createDatabase();
      return prepared;
    } catch (error) {
      await prepared.process.stop();
      if (tried === maxPorts || (await portTrouble(port)) === undefined) throw error;
    }
  }
};

const processSpec = (home: PostgresHome, options: PostgresOptions, url: string): ProcessSpec => ({
  name: 'postgres',
  ...home.wrap({
    command: postgresProgram(home.binaries, 'postgres'),
    args: ['-D', home.data, ...settingsArgs(postgresSettings(options.port))],
  }),
  env: { ...inheritedEnvironment(), LC_ALL: 'C' },
  cwd: '/',
  ...(home.account === undefined ? {} : { account: home.account }),
  logFile: options.logFile,
  isReady: () => acceptsConnections(url, home.data),
  // Fast shutdown: ends sessions, writes a checkpoint, needs no recovery at the next start.
  stopSignal: 'SIGINT',
  orphanSignal: 'SIGINT',
  stopTimeoutMs: 20_000,
  readyTimeoutMs: startPatienceMs,
});

const majorVersion = '18';

const checkCluster = async ({ data }: PostgresHome): Promise<void> => {
  const file = join(data, 'PG_VERSION');
  if (!existsSync(file)) return;
  const found = (await readFile(file, 'utf8')).trim();
  // A copy, such as a backup that was put back, may have lost its rights, without which Postgres starts on nothing.
  if (found === majorVersion) return chmod(data, 0o700);
  throw new StackFailure(
    `The data in ${data} was written by PostgreSQL ${found}; this is ${majorVersion}.`,
    'Start again with "npm start -- --fresh" (which deletes the data), or dump it with the older version first.',
  );
};

/** Created next to its place and moved when complete, so that a killed start leaves no half cluster. */
const createCluster = async (home: PostgresHome, password: string): Promise<void> => {
  const draft = `${home.data}.new`;
  const passwordFile = `${home.data}.password`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  try {
    if (home.account !== undefined) {
      await chown(draft, home.account.uid, home.account.gid);
      await chown(passwordFile, home.account.uid, home.account.gid);
    }
    await runInitdb(home, draft, passwordFile);
    await rename(draft, home.data);
  } finally {
    await rm(passwordFile, { force: true });
  }
};

const runInitdb = async (home: PostgresHome, data: string, passwordFile: string): Promise<void> => {
  const line = home.wrap({
    command: postgresProgram(home.binaries, 'initdb'),
    args: [
      `--pgdata=${data}`,
      '--encoding=UTF8',
      '--locale=C',
      `--username=${superuser}`,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
    ],
  });
  const { command, args } = tether().wrap(line, 'SIGTERM');
  const child = spawn(command, args, {
    env: { ...inheritedEnvironment(), LC_ALL: 'C' },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
    ...home.account,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  if (code === 0) return;
  throw new StackFailure(
    `Postgres could not create its data in ${data}:\n${output.trim()}`,
    output.includes('No space left')
      ? 'Free some disk space.'
      : 'Check the rights of that folder, or set DATABASE_URL to a PostgreSQL 18 of yours.',
  );
};

const wrongPassword = '28P01';

/** Whether the Postgres of this data answers, and not another one that has taken its port. */
const acceptsConnections = async (url: string, data: string): Promise<boolean> => {
  try {
    return await withClient(url, async (client) => {
      const { rows } = await client.query<{ data: string }>(
        "select current_setting('data_directory') as data",
      );
      return rows[0]?.data === data;
    });
  } catch (error) {
    if (codeOf(error) !== wrongPassword) return false;
    throw new StackFailure(
      'The stored superuser password is not that of this Postgres.',
      'Restore the secrets.json of this data, or start again with "npm start -- --fresh".',
      { cause: error },
    );
  }
};

const createDatabase = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  });
