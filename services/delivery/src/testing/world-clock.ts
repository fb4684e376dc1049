import {
  type Clock,
  createDataSource,
  type Database,
  type Queryable,
  type Statement,
  silentLogger,
  statement,
  systemClock,
  type Transaction,
  type TransactionOptions,
} from '@stanza/runtime';
import type { TestDatabase } from '@stanza/test-kit/database';

/** The clock of a process: time goes on as it does, a test may jump ahead, and the time of day may be wrong. */
export class JumpingClock implements Clock {
  #ahead = 0;
  #skew = 0;

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#ahead + this.#skew);
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#ahead;
  }

  /** Milliseconds by which it has jumped. */
  get ahead(): number {
    return this.#ahead;
  }

  /** So many milliseconds pass, for the process and for the database as the process sees it. */
  jump(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  /** The process's time of day is wrong by so many milliseconds; no time passes, and the database is right. */
  skew(milliseconds: number): void {
    this.#skew = milliseconds;
  }
}

const schema = 'moved';

const move = statement<object>('moved-clock', `update ${schema}.clock set ahead = $1`);

/** A database whose clock has jumped as far as that of the process which uses it. */
class FollowingDatabase implements Database {
  readonly #database: Database;
  readonly #follow: () => Promise<void>;

  constructor(database: Database, follow: () => Promise<void>) {
    this.#database = database;
    this.#follow = follow;
  }

  get orm(): Queryable['orm'] {
    return this.#database.orm;
  }

  async query<Row extends object>(text: Statement<Row>, values?: readonly unknown[]): Promise<Row[]> {
    await this.#follow();
    return this.#database.query(text, values);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T> {
    await this.#follow();
    return this.#database.transaction(work, options);
  }

  close(): Promise<void> {
    return this.#database.close();
  }
}

/** Postgres' `clock_timestamp()`, which jumps as the clocks of the processes do. */
export class DatabaseClock {
  readonly #database: Database;
  #ahead = 0;
  #moved: Promise<unknown> = Promise.resolve();

  /** What every session is opened with: the clock that jumps stands before that of Postgres. */
  static readonly session = { search_path: `${schema},pg_catalog,delivery,extensions,public` };

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Puts the clock into a database of which {@link DatabaseClock.session} is known. */
  static async open({ database, ownerUrl }: TestDatabase): Promise<DatabaseClock> {
    const owner = createDataSource({
      url: ownerUrl,
      schema: 'delivery',
      entities: [],
      migrations: [],
      pool: 1,
      session: {},
      applicationName: 'test',
      log: silentLogger(),
    });
    await owner.initialize();
    await owner.query(
      `create schema ${schema};
       create table ${schema}.clock (ahead float8 not null);
       insert into ${schema}.clock values (0);
       create function ${schema}.clock_timestamp() returns timestamptz language sql volatile
         as 'select pg_catalog.clock_timestamp() + ahead * interval ''1 millisecond'' from ${schema}.clock';
       grant usage on schema ${schema} to public;
       grant select, update on ${schema}.clock to public;`,
    );
    await owner.destroy();
    return new DatabaseClock(database);
  }

  /** The database as a process with this clock sees it. */
  follow(clock: JumpingClock, database: Database): Database {
    return new FollowingDatabase(database, () => this.#moveTo(clock.ahead));
  }

  async #moveTo(ahead: number): Promise<void> {
    if (this.#ahead !== ahead) {
      this.#ahead = ahead;
      this.#moved = this.#moved.then(() => this.#database.query(move, [ahead]));
    }
    await this.#moved;
  }
}
