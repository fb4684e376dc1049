import { setTimeout as pause } from 'node:timers/promises';
import { connectionLimits } from '@stanza/local/database-client';
import pg from 'pg';

/** Milliseconds that a change of partitions waits for its locks; pushes wait behind it for as long. */
const lockMs = 2_000;
/** Days before today of a partition that has outlived its time. */
const pastDays = 60;
/** How often a reader is begun again when other faults break its connection, and milliseconds between two tries. */
const maxTries = 60;
const againMs = 500;

/** What Postgres answers where a lock was not to be had in time. */
const lockNotAvailable = '55P03';
/**
 * What it answers while it starts or ends, and under the other faults: read-only, without a free connection, to a locked
 * account. A connection that breaks has a code of the system, or none.
 */
const awayCodes = /^(57P0[123]|25006|53300|28000|E[A-Z]+|)$/;

const isAway = (error: unknown): boolean => awayCodes.test(String(Object(error).code ?? ''));

/** A connection that may break at any time, which its next query will say. */
const connected = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...connectionLimits, connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

/**
 * Leaves something to do for a process that cares for partitions: the last day lacks its partition, and there is one of
 * a day long past. Where a fault keeps the locks, all stays as it is.
 */
const changePartitions = async (client: pg.Client): Promise<void> => {
  await client.query(`set lock_timeout = ${lockMs}`);
  try {
    const { rows } = await client.query<{ last: string }>(
      `select max(right(relname, 8)) as last from pg_class
       where relnamespace = 'queue_ingest'::regnamespace and relkind = 'r' and relname ~ '^event_pushes_\\d{8}$'`,
    );
    const past = [pastDays];
    await client.query(`select queue_ingest.drop_day_partition('event_pushes', to_date($1, 'YYYYMMDD'))`, [
      rows[0]?.last,
    ]);
    await client.query(
      `select queue_ingest.make_day_partition('event_pushes', current_date - $1::integer)`,
      past,
    );
  } catch (error) {
    if (Object(error).code !== lockNotAvailable) throw error;
  }
};

/**
 * Leaves partitions to be made and to be dropped, then reads all events in a transaction that stays open.
 * @returns what ends it
 */
export const readWhilePartitionsChange = async (url: string): Promise<() => Promise<void>> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const client = await connected(url);
      await changePartitions(client);
      await client.query('begin isolation level repeatable read read only');
      await client.query('select count(*) from queue_ingest.event_pushes');
      return () => client.end();
    } catch (error) {
      // Another fault was faster.
      if (!isAway(error) || tries === maxTries) throw error;
      await pause(againMs);
    }
  }
};
