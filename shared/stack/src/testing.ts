import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type ServiceName, schemaOf } from '@stanza/contracts';
import {
  connectDatabase,
  createMetrics,
  type Database,
  type DatabaseOptions,
  migrate,
  noTracing,
  silentLogger,
} from '@stanza/runtime';
import { withClient } from './database-client.ts';
import { stackDirectory } from './directory.ts';
import { type StackInfo, stackInfoSchema } from './info.ts';
import { migratorRole, provisionDatabase, serviceRole, urlFor } from './provision.ts';
import { readSecrets } from './secrets.ts';
import { migrationModules } from './service-modules.ts';

const variable = (name: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new Error('This test needs a stack: run it with "npm test -- <level> <part of its path>".');
};

const infoFile = (): string => variable('STANZA_TEST_STACK');

/** The stack that the test runner has started for all tests of the run. Its `pids` are those of this moment. */
export const testStack = (): StackInfo => stackInfoSchema.parse(JSON.parse(readFileSync(infoFile(), 'utf8')));

/** Addresses of all gateways of that stack; two, so that tests see them agree. */
export const testGateways = (): string[] => variable('STANZA_TEST_GATEWAYS').split(',');

/** Where tests look into the mailbox of that stack. */
export const testMailbox = (): string => variable('STANZA_TEST_MAILBOX');

/** A database of one test file alone, with the schema of one service. */
export interface TestDatabase {
  database: Database;
  /** Its address with the service's role. */
  url: string;
  /** Its address for its owner. */
  ownerUrl: string;
  /** Disconnects and drops it. */
  drop: () => Promise<void>;
}

/**
 * Makes an empty database on the server of the test stack, migrates the service's schema, and connects with the
 * service's role, so that a statement which reaches further than the service may fails here as it would in earnest.
 */
export const testDatabase = async (
  service: ServiceName,
  options: Partial<
    Pick<DatabaseOptions, 'entities' | 'pool' | 'statementTimeoutMs' | 'metrics' | 'log'>
  > = {},
): Promise<TestDatabase> => {
  const { database_url } = testStack();
  const name = `test_${schemaOf(service)}_${randomBytes(6).toString('hex')}`;
  await withClient(database_url, (client) => client.query(`create database ${name}`));
  const owner = new URL(database_url);
  owner.pathname = `/${name}`;
  await withClient(owner.href, provisionDatabase);
  const url = await migrateFor(service, owner.href);
  const database = await connectDatabase({
    url,
    schema: schemaOf(service),
    pool: 10,
    log: silentLogger(),
    metrics: createMetrics({ service, processMetrics: false }),
    tracing: noTracing,
    ...options,
  });
  return {
    database,
    url,
    ownerUrl: owner.href,
    drop: async () => {
      await database.close();
      await withClient(database_url, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
};

/** Migrates and answers the address with the service's role. */
const migrateFor = async (service: ServiceName, ownerUrl: string): Promise<string> => {
  const { roles } = readSecrets(stackDirectory(dirname(infoFile())).secrets);
  const as = (role: string): string => urlFor(ownerUrl, role, roles[role] ?? '');
  const schema = schemaOf(service);
  const role = serviceRole(schema);
  const { migrations } = await migrationModules[service]();
  await migrate({ url: as(migratorRole), schema, migrations, serviceRole: role, log: silentLogger() });
  return as(role);
};

export { type InProcessRpc, inProcessRpc, type MadeCall, runInProcess } from './in-process.ts';
export { type MailServer, type ReceivedMail, startMailServer } from './mail-server.ts';
export { findNats } from './nats/binary.ts';
export { freePorts } from './ports.ts';
export { type PreparedPostgres, startPostgres } from './postgres/start.ts';
export { migrationModules } from './service-modules.ts';
export { SupervisedProcess } from './supervised-process.ts';
