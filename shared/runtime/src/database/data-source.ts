import pg from 'pg';
import {
  DataSource,
  type EntitySchema,
  type MigrationInterface,
  type Logger as TypeOrmLogger,
} from 'typeorm';
import type { Logger } from '../log.ts';
import { valueTypes } from './types.ts';

/** A class of migration; TypeORM makes the instance. */
export type Migration = new () => MigrationInterface;

/** What a data source is made from. */
export interface DataSourceFacts {
  url: string;
  schema: string;
  entities: readonly EntitySchema[];
  migrations: readonly Migration[];
  /** Connections at most. */
  pool: number;
  /** Milliseconds that a caller waits for a connection of the pool; 3 s unless given. */
  connectTimeoutMs?: number;
  /** Postgres settings of every session besides the search path, in Postgres's own notation. */
  session: Record<string, string>;
  applicationName: string;
  log: Logger;
}

const defaultConnectTimeoutMs = 3_000;
const idleTimeoutMs = 30_000;
/** Statements of the ORM that take longer are logged, milliseconds. */
const slowQueryMs = 250;

/** TypeORM's messages in our log, without the values of queries. */
const ormLogger = (log: Logger): TypeOrmLogger => ({
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: (milliseconds, text) => log.warn({ sql: text, ms: Math.round(milliseconds) }, 'slow query'),
  logSchemaBuild: (reason) => log.debug({ reason }, 'the ORM tells something'),
  logMigration: (reason) => log.debug({ reason }, 'the ORM tells something'),
  log: (level, message) => {
    const reason = String(message);
    if (level === 'warn') log.warn({ reason }, 'the ORM warns');
    else log.debug({ reason }, 'the ORM tells something');
  },
});

/** Where extensions such as pg_trgm may live besides `public`. */
const extensionSchema = 'extensions';

/** The service's role has the same search path; said here, it also holds for tests and for other roles. */
const sessionOptions = ({ schema, session }: DataSourceFacts): string =>
  Object.entries({ search_path: `${schema},${extensionSchema},public`, ...session })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Makes a TypeORM data source, not connected yet, whose `pg` pool also serves the named statements. */
export const createDataSource = (facts: DataSourceFacts): DataSource =>
  new DataSource({
    type: 'postgres',
    url: facts.url,
    schema: facts.schema,
    entities: [...facts.entities],
    migrations: [...facts.migrations],
    migrationsTableName: 'migrations',
    synchronize: false,
    installExtensions: false,
    applicationName: facts.applicationName,
    poolSize: facts.pool,
    connectTimeoutMS: facts.connectTimeoutMs ?? defaultConnectTimeoutMs,
    maxQueryExecutionTime: slowQueryMs,
    logger: ormLogger(facts.log),
    poolErrorHandler: (err: unknown) => facts.log.warn({ err }, 'an idle database connection was lost'),
    driver: pg,
    extra: {
      types: valueTypes,
      idleTimeoutMillis: idleTimeoutMs,
      keepAlive: true,
      options: sessionOptions(facts),
    },
  });

/** The `pg` pool of a connected data source. */
export const poolOf = (source: DataSource): pg.Pool => {
  const { driver } = source;
  if ('master' in driver && driver.master instanceof pg.Pool) return driver.master;
  throw new TypeError('the data source has no pg pool');
};
