import { type Clock, type Database, statement } from '@stanza/runtime';
import type { Client } from 'pg';

const schemaName = 'held_clock';

/**
 * Makes a `clock_timestamp()` that answers a stored moment. Statements of the services use the clock of the database,
 * so a test that holds time has to hold that one.
 */
export const provisionHeldClock = async (client: Client): Promise<void> => {
  await client.query(`
    create schema ${schemaName};
    create table ${schemaName}.moment (at timestamptz not null);
    insert into ${schemaName}.moment values (pg_catalog.clock_timestamp());
    create function ${schemaName}.clock_timestamp() returns timestamptz language sql volatile
      as 'select at from ${schemaName}.moment';
    grant usage on schema ${schemaName} to public;
    grant select, update on ${schemaName}.moment to public;
  `);
};

/** The search path that finds the held clock before Postgres's own, which is searched first where it is not named. */
export const heldClockPath = (schema: string): string =>
  `${schema},${schemaName},extensions,public,pg_catalog`;

const setMoment = statement<object>('held-clock-set', `update ${schemaName}.moment set at = $1`);

/** The database with its clock set to the test's before each statement and transaction. */
export const followClock = (database: Database, clock: Pick<Clock, 'now'>): Database => {
  let known = Number.NaN;
  let setting: Promise<unknown> = Promise.resolve();
  const follow = async (): Promise<void> => {
    const at = clock.now();
    if (at.getTime() !== known) {
      known = at.getTime();
      setting = database.query(setMoment, [at]);
    }
    await setting;
  };
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
};
