import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusterPassword, placeCluster } from '@stanza/test-kit/cluster';
import { startPostgres } from '@stanza/test-kit/database';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Migration } from '../database/data-source.ts';
import { connectDatabase, type Database, type DatabaseOptions } from '../database/database.ts';
import { type MigrationLimits, migrate } from '../database/migrate.ts';
import { OutboxFailures } from '../database/outbox-failures.ts';
import { createRuntimeTables, dropRuntimeTables } from '../database/runtime-tables.ts';
import { silentLogger } from '../observability/log.ts';
import { createMetrics } from '../observability/metrics.ts';
import { noTracing } from '../observability/tracing.ts';

/** A Postgres server of one test file. */
export interface TestPostgres {
  /** Address for the superuser. */
  url: string;
  /** Kills it; it stays down until `restart`. */
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts an empty Postgres server on a free port. */
export const startTestPostgres = async (): Promise<TestPostgres> => {
  const folder = await mkdtemp(join(tmpdir(), 'stanza-postgres-'));
  const logFile = join(folder, 'postgres.log');
  await placeCluster(folder);
  const { url, process } = await startPostgres({ folder, logFile, password: clusterPassword });
  return {
    url,
    // Immediate shutdown: no checkpoint, and the sessions are cut off.
    kill: () => process.stop('SIGQUIT'),
    restart: () => process.start(),
    close: async () => {
      await process.stop('SIGQUIT');
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** The first migration of a service, and a table for tests. */
export class FirstTables1700000000000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    await new OutboxFailures().up(queryRunner);
    await queryRunner.query(
      'create table notes (id bigint primary key, text text not null, at timestamptz(3))',
    );
    await queryRunner.query('create unique index notes_text on notes (text)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table notes');
    await dropRuntimeTables(queryRunner);
  }
}

/** Creates the schema of a service with its role, and returns the address for that role. */
export const provisionSchema = async (url: string, schema: string): Promise<string> => {
  const role = `stanza_${schema}`;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create role ${role} login password 'secret'`);
  await client.end();
  await applyMigrations(url, schema, [FirstTables1700000000000]);
  const own = new URL(url);
  own.username = role;
  return own.href;
};

/** A schema of a service, made again. */
export interface FreshSchema {
  /** Connected as the superuser; a test ends it. */
  owner: pg.Client;
  /** Address for the role of the service. */
  url: string;
}

/** Creates the schema of a service again, whatever a test before left of it. */
export const freshSchema = async (url: string, schema: string): Promise<FreshSchema> => {
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query(`drop schema if exists ${schema} cascade; drop role if exists stanza_${schema}`);
  return { owner, url: await provisionSchema(url, schema) };
};

/** Applies migrations to a schema, and answers the names of those that were missing. */
export const applyMigrations = (
  url: string,
  schema: string,
  migrations: readonly Migration[],
  limits: Partial<MigrationLimits> = {},
): Promise<string[]> =>
  migrate({ url, schema, migrations, serviceRole: `stanza_${schema}`, log: silentLogger(), limits });

/** Connects to a schema as its service does. */
export const connectTo = (
  url: string,
  schema: string,
  options: Partial<DatabaseOptions> = {},
): Promise<Database> =>
  connectDatabase({
    url,
    schema,
    pool: 5,
    log: silentLogger(),
    metrics: createMetrics({ service: schema, processMetrics: false }),
    tracing: noTracing,
    ...options,
  });
