import { Socket } from 'node:net';
import pg from 'pg';
import {
  DataSource,
  type EntitySchema,
  type MigrationInterface,
  type Logger as TypeOrmLogger,
} from 'typeorm';
import type { Logger } from '../observability/log.ts';
import { ReachClient } from './reach-client.ts';

/** A migration class; TypeORM creates the instance. */
export type Migration = new () => MigrationInterface & {
  /** Tables to which the role of the service adds rows, without the right to change or delete one. */
  readonly appendOnly?: readonly string[];
};

/** Options of {@link createDataSource}. */
export interface DataSourceFacts {
  url: string;
  schema: string;
  entities: readonly EntitySchema[];
  migrations: readonly Migration[];
  /** Maximum number of connections. */
  pool: number;
  /** Milliseconds that a caller waits for a connection of the pool; 3 s unless given. */
  connectTimeoutMs?: number;
  /** Milliseconds of silence after which a connection counts as lost; longer than any statement; an hour unless given. */
  silenceMs?: number;
  /** Postgres settings of every session besides the search path, in Postgres's own notation. */
  session: Record<string, string>;
  applicationName: string;
  log: Logger;
}

/** Milliseconds that a caller waits for a connection, or for its turn, unless an option says otherwise. */
export const defaultConnectTimeoutMs = 3_000;
const defaultSilenceMs = 3_600_000;
/** Shorter than `silenceMs` of a service, so that an idle connection is closed in order. */
const idleTimeoutMs = 10_000;
/** Milliseconds of silence after which a TCP keep-alive probe is sent. */
export const keepAliveInitialDelayMillis = 10_000;
/** Statements of the ORM that take longer are logged, milliseconds. */
const slowQueryMs = 250;

/** Writes TypeORM's messages to the log, without the values of queries. */
const ormLogger = (log: Logger): TypeOrmLogger => ({
  logQuery: () => undefined,
  logQueryError: () => undefined,
  logQuerySlow: (milliseconds, text) => log.warn({ sql: text, ms: Math.round(milliseconds) }, 'slow query'),
  logSchemaBuild: (reason) => log.debug({ reason }, 'message of the ORM'),
  logMigration: (reason) => log.debug({ reason }, 'message of the ORM'),
  log: (level, message) => {
    const reason = String(message);
    if (level === 'warn') log.warn({ reason }, 'warning of the ORM');
    else log.debug({ reason }, 'message of the ORM');
  },
});

/** Schema of extensions such as pg_trgm, besides `public`. */
const extensionSchema = 'extensions';

/**
 * A lost client is detected within half a minute instead of the operating system's two hours. Its locks end with its
 * session.
 */
export const lostClients = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '30000',
};

/** Settings as a client sends them at the start of its session. */
export const sessionOptions = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** The service's role has the same search path. Setting it here covers tests and other roles. */
const settingsOf = ({ schema, session }: DataSourceFacts): Record<string, string> => ({
  search_path: `${schema},${extensionSchema},public`,
  ...lostClients,
  ...session,
});

/**
 * The socket of a connection, destroyed after `silenceMs` without data. A silent connection in use waits for a server
 * that is gone; the operating system would give up after a quarter of an hour.
 */
const socketThatEnds = (silenceMs: number): Socket => {
  const socket = new Socket();
  socket.setTimeout(silenceMs, () => {
    const text = `connection terminated: no data for ${silenceMs} ms`;
    socket.destroy(Object.assign(new Error(text), { code: 'ETIMEDOUT' }));
  });
  return socket;
};

/** Creates a TypeORM data source, not yet connected, whose `pg` pool also serves the named statements. */
export const createDataSource = ({ silenceMs = defaultSilenceMs, ...facts }: DataSourceFacts): DataSource =>
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
      Client: ReachClient,
      types: valueTypes,
      idleTimeoutMillis: idleTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis,
      stream: () => socketThatEnds(silenceMs),
      options: sessionOptions(settingsOf(facts)),
    },
  });

/** The `pg` pool of a connected data source. */
export const poolOf = (source: DataSource): pg.Pool => {
  const { driver } = source;
  if ('master' in driver && driver.master instanceof pg.Pool) return driver.master;
  throw new TypeError('the data source has no pg pool');
};

/** Type numbers of `pg_type`. */
const int8 = 20;

/** Parses an int8 to a number; refuses one beyond the safe integers instead of rounding it. */
const parseInt8 = (value: string): number => {
  const parsed = Number(value);
  if (!Number.isSafeInteger(parsed)) throw new RangeError('an int8 is beyond the safe integers');
  return parsed;
};

/** Conversion of Postgres values to JavaScript; timestamptz is a Date already. */
export const valueTypes: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === int8 && format !== 'binary' ? parseInt8 : pg.types.getTypeParser(oid, format),
};
