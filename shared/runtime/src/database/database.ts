import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient, QueryResultRow } from 'pg';
import type { DataSource, EntityManager, EntitySchema, QueryRunner } from 'typeorm';
import { InvariantError } from '../invariant.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Tracing } from '../observability/tracing.ts';
import { createDataSource, defaultConnectTimeoutMs, poolOf } from './data-source.ts';
import { shareByOrganization, whileHolding } from './fair-pool.ts';
import { answered, fromDatabase, isRepeatable } from './faults.ts';
import { observePool, observeStatements, type StatementObserver } from './instruments.ts';
import { ReachClient, type ReachConfig, withinReach } from './reach-client.ts';
import { type Statement, wokenBy } from './statement.ts';

/** Runs statements: the database itself, or one of its transactions. */
export interface Queryable {
  /** Runs a statement and returns its rows; timestamptz are Dates, int8 are safe integers. */
  query<Row extends object>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row[]>;
  /** TypeORM's entity manager on the same connections, for code off the hot path. */
  readonly orm: EntityManager;
}

/** An open transaction. */
export interface Transaction extends Queryable {
  /** Calls `run` after the commit; never after a rollback. */
  afterCommit(run: () => void): void;
}

/** How a transaction runs. */
export interface TransactionOptions {
  isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
  /** Retries after a deadlock or a serialization failure; 2 unless given. */
  repeats?: number;
}

/**
 * The Postgres schema of a service. Loss, overload and timeouts of the database are thrown as CodedError
 * `service_unavailable`; other errors are thrown unchanged, see `isUniqueViolation`.
 */
export interface Database extends Queryable {
  /**
   * Runs `work` in a transaction: committed when it resolves, rolled back when it rejects. It is retried after a
   * deadlock or a serialization failure, so it must change nothing but the database.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  close(): Promise<void>;
}

/** Options of {@link connectDatabase}. */
export interface DatabaseOptions {
  url: string;
  schema: string;
  entities?: readonly EntitySchema[];
  /** Connections at most. */
  pool: number;
  /** Milliseconds after which Postgres cancels a statement; 10 s unless given. */
  statementTimeoutMs?: number;
  /** Milliseconds after which Postgres ends the session of an idle transaction; 10 s unless given. */
  idleTransactionMs?: number;
  /**
   * Milliseconds after which Postgres ends a transaction whatever it does; three times what a statement may take
   * unless given.
   */
  transactionTimeoutMs?: number;
  /** Milliseconds that a statement waits for a lock; 5 s unless given. */
  lockTimeoutMs?: number;
  /**
   * Milliseconds of silence after which a connection counts as lost; 10 s more than a statement may take, unless given.
   */
  silenceMs?: number;
  /** Milliseconds that a caller waits for a connection of the pool; 3 s unless given. */
  connectTimeoutMs?: number;
  /** The gauges of the pool show those of another one, and organizations take turns before they come to it. */
  isPoolUnseen?: true;
  /** Shown in `pg_stat_activity`. */
  applicationName?: string;
  /** Further Postgres settings of every session, in Postgres's own notation. */
  session?: Readonly<Record<string, string>>;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  /** Called once a statement is committed that wakes a job. */
  wake?: (job: string) => void;
}

const defaultStatementTimeoutMs = 10_000;
/**
 * Two statements of a transaction are milliseconds apart. A client that is lost between them holds its locks for this
 * time.
 */
const defaultIdleTransactionMs = 10_000;
/**
 * A transaction may take as long as this many statements. Its locks hold others up, and its snapshot keeps dead rows.
 */
const statementsOfTransaction = 3;
/**
 * Shorter than a lost client can hold a lock, so a waiting statement returns its connection first; and than the deadline
 * of most operations, so that the caller learns that nothing was changed.
 */
const defaultLockTimeoutMs = 4_000;
/** Added to the statement timeout: a server that is silent for longer is not reachable. */
const silenceBeyondMs = 10_000;
const defaultRepeats = 2;
/** Delay before a transaction is retried, plus as much jitter; milliseconds. */
const repeatDelayMs = 10;

interface Runner {
  query<R extends QueryResultRow>(config: ReachConfig): Promise<{ rows: R[] }>;
}

interface Parts {
  source: DataSource;
  tracing: Tracing;
  log: Logger;
  observe: StatementObserver;
  wake: (job: string) => void;
}

const runStatement = async <Row extends object>(
  parts: Parts,
  runner: Runner,
  { name, text, first }: Statement<Row>,
  values: readonly unknown[],
): Promise<Row[]> => {
  const started = performance.now();
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': name };
  try {
    const result = await parts.tracing.span(`sql ${name}`, attributes, () =>
      answered(runner.query<Row>(withinReach({ name, text, first, values: [...values] }))),
    );
    return result.rows;
  } finally {
    parts.observe(name, performance.now() - started);
  }
};

/** Does what follows a commit. What fails of it takes nothing back, and must not seem to. */
const followUp = ({ log }: Parts, run: () => void): void => {
  try {
    run();
  } catch (err) {
    log.error({ err }, 'a step after the commit failed');
  }
};

class OpenTransaction implements Transaction {
  readonly orm: EntityManager;
  readonly #parts: Parts;
  readonly #client: PoolClient;
  readonly #afterCommit: (() => void)[] = [];
  readonly #wakes = new Set<string>();

  constructor(parts: Parts, runner: QueryRunner, client: PoolClient) {
    this.#parts = parts;
    this.orm = runner.manager;
    this.#client = client;
  }

  async query<Row extends object>(
    statement: Statement<Row>,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    const rows = await runStatement(this.#parts, this.#client, statement, values);
    const job = wokenBy(statement, rows);
    if (job !== undefined) this.#wakes.add(job);
    return rows;
  }

  afterCommit(run: () => void): void {
    this.#afterCommit.push(run);
  }

  /** Does what waited for the commit. */
  committed(): void {
    for (const run of this.#afterCommit) followUp(this.#parts, run);
    for (const job of this.#wakes) followUp(this.#parts, () => this.#parts.wake(job));
  }
}

/** Runs again what Postgres has rolled back because of a deadlock or a serialization failure. */
const repeated = async <T>(work: () => Promise<T>, repeats = defaultRepeats): Promise<T> => {
  for (let run = 0; ; run++) {
    try {
      return await work();
    } catch (err) {
      if (!isRepeatable(err) || run >= repeats) throw err;
      await pause(repeatDelayMs * (1 + Math.random()));
    }
  }
};

class PostgresDatabase implements Database {
  readonly orm: EntityManager;
  readonly #parts: Parts;
  readonly #pool: Runner;

  constructor(parts: Parts, pool: Runner) {
    this.#parts = parts;
    this.#pool = pool;
    this.orm = parts.source.manager;
  }

  async query<Row extends object>(
    statement: Statement<Row>,
    values: readonly unknown[] = [],
  ): Promise<Row[]> {
    try {
      const rows = await repeated(() => runStatement(this.#parts, this.#pool, statement, values));
      const job = wokenBy(statement, rows);
      if (job !== undefined) followUp(this.#parts, () => this.#parts.wake(job));
      return rows;
    } catch (err) {
      throw fromDatabase(err, false);
    }
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return await repeated(
      () => this.#parts.tracing.span('sql transaction', {}, () => this.#once(work, options)),
      options.repeats,
    );
  }

  async close(): Promise<void> {
    if (this.#parts.source.isInitialized) await this.#parts.source.destroy();
  }

  async #once<T>(work: (tx: Transaction) => Promise<T>, options: TransactionOptions): Promise<T> {
    const runner = this.#parts.source.createQueryRunner();
    const { tx, result } = await this.#committed(runner, work, options);
    await this.#release(runner);
    tx.committed();
    return result;
  }

  async #committed<T>(
    runner: QueryRunner,
    work: (tx: Transaction) => Promise<T>,
    { isolation }: TransactionOptions,
  ): Promise<{ tx: OpenTransaction; result: T }> {
    let isCommitting = false;
    try {
      const client: PoolClient = await answered(runner.connect());
      await runner.startTransaction(isolation);
      const tx = new OpenTransaction(this.#parts, runner, client);
      const result = await whileHolding(() => work(tx));
      isCommitting = true;
      await commit(client);
      return { tx, result };
    } catch (err) {
      await this.#abandon(runner);
      throw fromDatabase(err, !isCommitting);
    }
  }

  /** After the commit: a connection that cannot be given back takes nothing back. */
  async #release(runner: QueryRunner): Promise<void> {
    try {
      await runner.release();
    } catch (err) {
      this.#parts.log.error({ err }, 'a connection could not be returned to the pool');
    }
  }

  /** A lost connection has nothing to roll back. The first failure is the one reported. */
  async #abandon(runner: QueryRunner): Promise<void> {
    try {
      if (runner.isTransactionActive && !runner.isReleased) await runner.rollbackTransaction();
    } catch (err) {
      this.#parts.log.warn({ err }, 'a transaction could not be rolled back');
    } finally {
      await runner.release();
    }
  }
}

/** Postgres answers the commit of a failed transaction with a rollback and no error. */
const commit = async (client: PoolClient): Promise<void> => {
  const { command } = await answered(client.query('commit'));
  if (command !== 'COMMIT') {
    throw new InvariantError('a transaction was committed after one of its statements had failed');
  }
};

/**
 * Connects to the schema of a service.
 * @throws what `pg` throws when the database cannot be reached now
 */
export const connectDatabase = async (options: DatabaseOptions): Promise<Database> => {
  const statementTimeoutMs = options.statementTimeoutMs ?? defaultStatementTimeoutMs;
  const source = createDataSource({
    ...options,
    silenceMs: options.silenceMs ?? statementTimeoutMs + silenceBeyondMs,
    entities: options.entities ?? [],
    migrations: [],
    session: {
      statement_timeout: String(statementTimeoutMs),
      idle_in_transaction_session_timeout: String(options.idleTransactionMs ?? defaultIdleTransactionMs),
      transaction_timeout: String(
        options.transactionTimeoutMs ?? statementsOfTransaction * statementTimeoutMs,
      ),
      lock_timeout: String(options.lockTimeoutMs ?? defaultLockTimeoutMs),
      ...options.session,
    },
    applicationName: options.applicationName ?? `stanza ${options.schema}`,
  });
  await source.initialize();
  const pool = poolOf(source);
  ReachClient.endReadOnly(pool);
  if (!options.isPoolUnseen) {
    const { pool: size, metrics, connectTimeoutMs: waitMs = defaultConnectTimeoutMs } = options;
    observePool(metrics, pool, size, shareByOrganization(pool, { size, waitMs, metrics }));
  }
  const observe = observeStatements(options.metrics, options.log);
  const { tracing, log, wake = () => undefined } = options;
  return new PostgresDatabase({ source, tracing, log, observe, wake }, pool);
};
