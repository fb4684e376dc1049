import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ServiceName, schemaOf } from '@stanza/contracts';
import { withClient } from '@stanza/local/database-client';
import { stackDirectory } from '@stanza/local/directory';
import { type StackInfo, stackInfoSchema } from '@stanza/local/info';
import { migratorRole, provisionDatabase, serviceRole, urlFor } from '@stanza/local/provision';
import { readSecrets } from '@stanza/local/secrets';
import { migrationModules } from '@stanza/local/service-modules';
import {
  type Clock,
  connectDatabase,
  createMetrics,
  type Database,
  type DatabaseOptions,
  migrate,
  noTracing,
  silentLogger,
} from '@stanza/runtime';
import { DatabaseTime, databaseTimePath, followClock, provisionDatabaseTime } from './database-time.ts';

const variable = (name: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new Error('This test needs a stack: run it with "npm test -- <level> <part of its path>".');
};

const infoFile = (): string => variable('STANZA_TEST_STACK');

/** The stack that the test runner has started for all tests of the run. Its `pids` are those of this moment. */
export const testStack = (): StackInfo => stackIn(infoFile());

const stackIn = (file: string): StackInfo => stackInfoSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

/** Addresses of all gateways of that stack; two, so that tests see them agree. */
export const testGateways = (): string[] => variable('STANZA_TEST_GATEWAYS').split(',');

/** Where tests look into the mailbox of that stack. */
export const testMailbox = (): string => variable('STANZA_TEST_MAILBOX');

/** Milliseconds after which a wait for the database counts as endless. */
const hangsMs = 60_000;

/** A database of one test file alone, with the schema of one service. */
export interface TestDatabase {
  database: Database;
  /** Its address with the service's role. */
  url: string;
  /** Its address for its owner. */
  ownerUrl: string;
  /** Its clock, where the test moves it. */
  time: DatabaseTime;
  /** Disconnects and drops it. */
  drop: () => Promise<void>;
}

/**
 * Makes a database on the server of a stack with the service's schema, and connects with the service's role, so
 * that a statement which reaches further than the service may fails here as it would in earnest.
 */
export const testDatabase = async (
  service: ServiceName,
  {
    clock,
    stackFile = infoFile(),
    ...options
  }: Partial<
    Pick<DatabaseOptions, 'entities' | 'pool' | 'statementTimeoutMs' | 'metrics' | 'log' | 'session'>
  > & {
    /**
     * What `clock_timestamp()` of the database answers, instead of the server's time; `jumps` where the processes of the
     * test say how far it is ahead, by the {@link TestDatabase.time} of the database.
     */
    clock?: Pick<Clock, 'now'> | 'jumps';
    /** The `stack.json` of the stack; that of the test runner unless given. */
    stackFile?: string;
  } = {},
): Promise<TestDatabase> => {
  const { database_url } = stackIn(stackFile);
  const schema = schemaOf(service);
  const template = await migratedTemplate(service, stackFile);
  const name = `test_${schema}_${randomBytes(6).toString('hex')}`;
  // Files are copied in half the time that it takes to log their pages.
  await withClient(database_url, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  const ownerUrl = databaseAt(database_url, name);
  // Rights on a database and settings of roles in it are not copied with a template.
  await withClient(ownerUrl, provisionDatabase);
  if (clock) await withClient(ownerUrl, provisionDatabaseTime);
  const url = asRole(ownerUrl, serviceRole(schema), stackFile);
  const connected = await connectDatabase({
    url,
    schema,
    pool: 10,
    ...(clock && { session: { search_path: databaseTimePath(schema) } }),
    log: silentLogger(),
    metrics: createMetrics({ service, processMetrics: false }),
    tracing: noTracing,
    // No test fails for want of speed: these end what hangs, as tests/kit/limits.ts does elsewhere.
    connectTimeoutMs: hangsMs,
    statementTimeoutMs: hangsMs,
    ...options,
  });
  const database = clock && clock !== 'jumps' ? followClock(connected, clock) : connected;
  return {
    database,
    time: new DatabaseTime(connected),
    url,
    ownerUrl,
    drop: async () => {
      await database.close();
      await withClient(database_url, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
};

const databaseAt = (url: string, name: string): string => {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
};

const asRole = (url: string, role: string, stackFile: string): string => {
  const { roles } = readSecrets(stackDirectory(dirname(stackFile)).secrets);
  return urlFor(url, role, roles[role] ?? '');
};

/**
 * Names the database that those of a service's tests are copied from. The first test that asks makes it, which takes
 * longer than a copy; the others wait for that one.
 */
const migratedTemplate = (service: ServiceName, stackFile: string): Promise<string> => {
  const { database_url } = stackIn(stackFile);
  const name = `test_template_of_${schemaOf(service)}`;
  return withClient(database_url, async (client) => {
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    const { rowCount } = await client.query('select from pg_database where datname = $1 and datistemplate', [
      name,
    ]);
    if (rowCount) return name;
    // What a test that was killed has left half made.
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
    const url = databaseAt(database_url, name);
    await withClient(url, provisionDatabase);
    await migrateAll(service, asRole(url, migratorRole, stackFile));
    await client.query(`alter database ${name} is_template true`);
    return name;
  });
};

const migrateAll = async (service: ServiceName, url: string): Promise<void> => {
  const schema = schemaOf(service);
  const { migrations } = await migrationModules[service]();
  await migrate({ url, schema, migrations, serviceRole: serviceRole(schema), log: silentLogger() });
};

export { type InProcessRpc, inProcessRpc, type MadeCall, runInProcess } from '@stanza/local/in-process';
export { findNats } from '@stanza/local/nats/binary';
export { freePorts } from '@stanza/local/ports';
export { type PreparedPostgres, startPostgres } from '@stanza/local/postgres/start';
export { migrationModules } from '@stanza/local/service-modules';
export { loadKnownSettings } from '@stanza/local/settings';
export { SupervisedProcess } from '@stanza/local/supervised-process';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
