import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../observability/log.ts';
import { createDataSource, keepAliveInitialDelayMillis, lostClients, type Migration } from './data-source.ts';
import { tenantWallSql } from './tenant-wall.ts';

/** Milliseconds that a migration waits for a lock before it gives up, so that it never stalls a running service. */
const lockTimeoutMs = 10_000;

/** Milliseconds after which a migration whose process is frozen loses its locks. */
const idleTransactionMs = 60_000;

/** Milliseconds within which the database must take a connection. */
const connectTimeoutMs = 10_000;

/** Milliseconds between two attempts to take the migration lock. */
const turnMs = 200;

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
}

const withClient = async (url: string, run: (client: pg.Client) => Promise<void>): Promise<void> => {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'stanza migration',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis,
    options: Object.entries(lostClients)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  await client.connect();
  try {
    await run(client);
  } finally {
    await client.end();
  }
};

/**
 * Waits until no other process migrates the schema. It polls: `create index concurrently` waits for statements that
 * wait for a lock, so a blocking lock would deadlock.
 */
const takeTurn = async (client: pg.Client, schema: string): Promise<void> => {
  const name = `stanza migration ${schema}`;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      'select pg_try_advisory_lock(hashtext($1)) as taken',
      [name],
    );
    if (rows[0]?.taken) return;
    await pause(turnMs);
  }
};

const runPending = async (options: MigrateOptions): Promise<string[]> => {
  const source = createDataSource({
    ...options,
    entities: [],
    pool: 1,
    session: {
      lock_timeout: String(lockTimeoutMs),
      idle_in_transaction_session_timeout: String(idleTransactionMs),
    },
    applicationName: 'stanza migration',
  });
  await source.initialize();
  try {
    const applied = await source.runMigrations({ transaction: 'each' });
    return applied.map((it) => it.name);
  } finally {
    await source.destroy();
  }
};

/** Grants follow each run, because a migration may have created tables. */
const grantsFor = ({ schema, serviceRole }: MigrateOptions): string => {
  const [inSchema, role] = [pg.escapeIdentifier(schema), pg.escapeIdentifier(serviceRole)];
  return `
    grant usage on schema ${inSchema} to ${role};
    grant select, insert, update, delete on all tables in schema ${inSchema} to ${role};
    grant usage on all sequences in schema ${inSchema} to ${role};
    revoke insert, update, delete on ${inSchema}.migrations from ${role};
  `;
};

/**
 * Brings the schema of a service up to date and gives the service's role its rights. Safe to repeat and to run
 * concurrently: an advisory lock serializes the runs.
 * @returns names of the migrations applied by this run
 * @throws what Postgres or a migration throws; a failed migration leaves nothing behind
 */
export const migrate = async (options: MigrateOptions): Promise<string[]> => {
  const applied: string[] = [];
  await withClient(options.url, async (client) => {
    await takeTurn(client, options.schema);
    await client.query(`create schema if not exists ${pg.escapeIdentifier(options.schema)}`);
    applied.push(...(await runPending(options)));
    await client.query(grantsFor(options));
    await client.query(`set lock_timeout = ${lockTimeoutMs}; ${tenantWallSql(options.schema)}`);
  });
  options.log.info({ schema: options.schema, applied }, 'schema is up to date');
  return applied;
};
