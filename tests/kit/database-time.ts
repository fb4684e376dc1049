import { type Clock, type Database, statement } from '@stanza/runtime';
import type { Client } from 'pg';

const schemaName = 'test_time';

/**
 * What `clock_timestamp()` answers in a database of a test. Statements of the services use the clock of the database, so
 * a test that holds time, or jumps ahead, has to move that one.
 */
export interface DatabaseMoment {
  /** The time at which the clock stands still; absent where it goes on as the server's does. */
  at?: Date;
  /** Milliseconds by which it is ahead. */
  aheadMs?: number;
}

/** Puts a clock that a test moves into a database, where it answers as the server's does until it is moved. */
export const provisionDatabaseTime = async (client: Client): Promise<void> => {
  await client.query(`
    create schema ${schemaName};
    create table ${schemaName}.moment (at timestamptz, ahead_ms float8 not null);
    insert into ${schemaName}.moment values (null, 0);
    create function ${schemaName}.clock_timestamp() returns timestamptz language sql volatile
      as 'select coalesce(at, pg_catalog.clock_timestamp()) + ahead_ms * interval ''1 millisecond''
          from ${schemaName}.moment';
    grant usage on schema ${schemaName} to public;
    grant select, update on ${schemaName}.moment to public;
  `);
};

/**
 * The search path that finds the clock of the test before that of Postgres, which is searched first where it is not named.
 */
export const databaseTimePath = (schema: string): string =>
  `${schema},${schemaName},extensions,public,pg_catalog`;

const setMoment = statement<object>(
  'test-time-set',
  `update ${schemaName}.moment set at = $1, ahead_ms = $2`,
);

/** The clock of a test's database, as all processes on it share it. */
export class DatabaseTime {
  readonly #database: Database;
  #known = '';
  #setting: Promise<unknown> = Promise.resolve();

  /** @param database - one that {@link provisionDatabaseTime} has prepared */
  constructor(database: Database) {
    this.#database = database;
  }

  /** The database with its clock moved, before each statement and transaction, to what a process says. */
  follow(database: Database, momentOf: () => DatabaseMoment): Database {
    const follow = () => this.#moveTo(momentOf());
    return {
      get orm() {
        return database.orm;
      },
      query: async (asked, values) => {
        await follow();
        return database.query(asked, values);
      },
      transaction: async (work, options) => {
        await follow();
        return database.transaction(work, options);
      },
      close: () => database.close(),
    };
  }

  async #moveTo({ at, aheadMs = 0 }: DatabaseMoment): Promise<void> {
    const wanted = `${at?.getTime()} ${aheadMs}`;
    if (this.#known !== wanted) {
      this.#known = wanted;
      this.#setting = this.#setting.then(() => this.#database.query(setMoment, [at ?? null, aheadMs]));
    }
    await this.#setting;
  }
}

/** The database with its clock set to the test's. */
export const followClock = (database: Database, clock: Pick<Clock, 'now'>): Database =>
  new DatabaseTime(database).follow(database, () => ({ at: clock.now() }));
