import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { Logger } from '../observability/log.ts';
import { adoptBaseline } from './baseline.ts';
import {
  createDataSource,
  keepAliveInitialDelayMillis,
  lostClients,
  type Migration,
  sessionOptions,
} from './data-source.ts';
import { tenantWallSql } from './tenant-wall.ts';

/** Milliseconds that a migration waits for a lock before it gives up, so that it never stalls a running service. */
const lockTimeoutMs = 10_000;

/** Milliseconds after which a migration whose process is frozen loses its locks. */
const idleTransactionMs = 60_000;

/** Milliseconds within which the database must take a connection. */
const connectTimeoutMs = 10_000;

/** Milliseconds between two attempts to take the migration lock. */
const turnMs = 200;

/** How long a migration may take and wait, in milliseconds. */
export interface MigrationLimits {
  /**
   * The transaction of one migration; its locks hold services up. What runs outside of a transaction has no such limit.
   */
  transactionMs: number;
  /** Silence of the database after which the connection counts as lost; longer than an index of a large table takes. */
  silenceMs: number;
  /** The wait for another process that migrates the same schema. */
  turnWaitMs: number;
}

const defaultLimits: MigrationLimits = {
  transactionMs: 600_000,
  silenceMs: 3_600_000,
  turnWaitMs: 600_000,
};

/** Options of {@link migrate}. */
export interface MigrateOptions {
  /** Address with the migrating role, which owns schema and tables. */
  url: string;
  schema: string;
  /** In the order of their timestamps. */
  migrations: readonly Migration[];
  /** The role of the service: reads and writes the tables, and owns none. */
  serviceRole: string;
  log: Logger;
  /**
   * The limits of time that differ from 10 minutes for a transaction, an hour of silence and 10 minutes for the turn.
   */
  limits?: Partial<MigrationLimits>;
}

const applicationName = 'stanza migration';

/**
 * The session settings of both connections. The limit of a transaction is set in each: see {@link limitTransactions}.
 */
const session = {
  lock_timeout: String(lockTimeoutMs),
  idle_in_transaction_session_timeout: String(idleTransactionMs),
};

const withClient = async (
  { url, log }: MigrateOptions,
  { transactionMs, silenceMs }: MigrationLimits,
  run: (client: pg.Client) => Promise<void>,
): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: connectTimeoutMs,
    // The connection is idle while migrations run on the other one, so the limit is that of its queries.
    query_timeout: silenceMs,
    keepAlive: true,
    keepAliveInitialDelayMillis,
    options: sessionOptions({ ...lostClients, ...session, transaction_timeout: String(transactionMs) }),
  });
  client.on('error', (err) => log.warn({ err }, 'the connection of a migration was lost'));
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
};

/** Tells which process holds the lock of a schema, and how to end a wait for it. */
const turnNotTaken = (schema: string, waitMs: number): Error =>
  new Error(
    `Another process has been migrating the schema ${schema} for more than ${waitMs / 1_000} s. ` +
      'Wait until it is done and start again. If it is gone, end its session first: ' +
      `select pid, state, query_start, query from pg_stat_activity where application_name = '${applicationName}'; select pg_terminate_backend(pid).`,
  );

/**
 * Waits until no other process migrates the schema. It polls: `create index concurrently` waits for statements that
 * wait for a lock, so a blocking lock would deadlock.
 * @throws an error that says what to do, after `waitMs`
 */
const takeTurn = async (client: pg.Client, schema: string, waitMs: number): Promise<void> => {
  const name = `stanza migration ${schema}`;
  const begun = performance.now();
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as taken',
      [name],
    );
    if (rows[0]?.taken) return;
    if (performance.now() - begun >= waitMs) throw turnNotTaken(schema, waitMs);
    await pause(turnMs);
  }
};

/**
 * Limits each transaction of migrations from its begin. As a setting of the session the limit would also end a
 * statement outside of a transaction, such as the build of an index alongside the work of services.
 */
const limitTransactions = (source: DataSource, transactionMs: number): void => {
  source.subscribers.push({
    afterTransactionStart: ({ queryRunner }) =>
      queryRunner.query(`set local transaction_timeout = ${transactionMs}`),
  });
};

const runPending = async (
  options: MigrateOptions,
  { transactionMs, silenceMs }: MigrationLimits,
): Promise<string[]> => {
  const source = createDataSource({
    ...options,
    entities: [],
    pool: 1,
    silenceMs,
    session,
    applicationName,
  });
  await source.initialize();
  limitTransactions(source, transactionMs);
  try {
    const applied = await source.runMigrations({ transaction: 'each' });
    return applied.map((it) => it.name);
  } finally {
    await source.destroy();
  }
};

/** Grants follow each run, because a migration may have created tables. They change at once, in one transaction. */
const grantsFor = ({ schema, serviceRole, migrations }: MigrateOptions): string => {
  const appendOnly = migrations.flatMap((make) => new make().appendOnly ?? []);
  const [inSchema, role] = [pg.escapeIdentifier(schema), pg.escapeIdentifier(serviceRole)];
  return `
    grant usage on schema ${inSchema} to ${role};
    grant select, insert, update, delete on all tables in schema ${inSchema} to ${role};
    grant usage on all sequences in schema ${inSchema} to ${role};
    revoke insert, update, delete on ${inSchema}.migrations from ${role};
    ${appendOnly.map((table) => `revoke update, delete on ${inSchema}.${pg.escapeIdentifier(table)} from ${role};`).join(' ')}
  `;
};

/**
 * Brings the schema of a service up to date and gives the service's role its rights. Safe to repeat and to run
 * concurrently: an advisory lock serializes the runs.
 * @returns names of the migrations applied by this run
 * @throws what Postgres or a migration throws, or that another process has the lock for too long; a failed migration
 * leaves nothing behind but an invalid index, where it was to build one concurrently; its next attempt drops that first
 */
export const migrate = async (options: MigrateOptions): Promise<string[]> => {
  const applied: string[] = [];
  const limits = { ...defaultLimits, ...options.limits };
  await withClient(options, limits, async (client) => {
    await takeTurn(client, options.schema, limits.turnWaitMs);
    await client.query(`create schema if not exists ${pg.escapeIdentifier(options.schema)}`);
    await adoptBaseline(client, options.schema, options.migrations);
    applied.push(...(await runPending(options, limits)));
    await client.query(grantsFor(options));
    await client.query(tenantWallSql(options.schema));
  });
  options.log.info({ schema: options.schema, applied }, 'schema is up to date');
  return applied;
};
