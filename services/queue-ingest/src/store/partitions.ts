import { type Queryable, statement } from '@stanza/runtime';

const readToday = statement<{ day: string }>(
  'events-today',
  "select to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as day",
);

/** The day in UTC by the clock of the database, which determines the day of an event. */
export const today = async (db: Queryable): Promise<string> => {
  const [row] = await db.query(readToday);
  if (!row) throw new TypeError('the database returned no day');
  return row.day;
};

const makePartition = statement<{ made: number }>(
  'events-make-partition',
  'select make_event_partitions($1::date, 0) as made',
);

/**
 * Creates the partition of a day. It gives up after a fraction of a second while a transaction reads events, or another
 * replica creates one.
 * @returns whether it was created now
 */
export const makeEventPartition = async (db: Queryable, day: string): Promise<boolean> => {
  const [row] = await db.query(makePartition, [day]);
  return (row?.made ?? 0) > 0;
};

/** The outcome of dropping a partition. */
export type PartitionDrop =
  | 'dropped'
  /** It holds events, and stays. */
  | 'used'
  /** A transaction that reads events holds the lock, on all partitions alike. */
  | 'locked'
  | 'absent';

const dropPartition = statement<{ outcome: PartitionDrop }>(
  'events-drop-partition',
  'select try_drop_event_partition($1::date) as outcome',
);

/** Drops the partition of a day if it is empty. It waits for a lock no longer than a fraction of a second. */
export const dropEventPartition = async (db: Queryable, day: string): Promise<PartitionDrop> => {
  const [row] = await db.query(dropPartition, [day]);
  return row?.outcome ?? 'absent';
};

const partitionDays = statement<{ day: string }>(
  'events-partition-days',
  `select to_char(to_date(right(child.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
   from pg_inherits
   join pg_class child on child.oid = inhrelid
   where inhparent = 'events'::regclass and child.relname ~ '^events_\\d{8}$'
   order by day`,
);

/** The days with their own partition, oldest first; read from the catalog, without a lock. */
export const daysWithPartition = async (db: Queryable): Promise<string[]> =>
  (await db.query(partitionDays)).map((it) => it.day);

const daysInDefault = statement<{ day: string }>(
  'events-default-days',
  `select distinct to_char(received_at at time zone 'UTC', 'YYYY-MM-DD') as day
   from events_default`,
);

/** The days whose events are in the default partition. They cannot get their own. */
export const daysWithoutPartition = async (db: Queryable): Promise<string[]> =>
  (await db.query(daysInDefault)).map((it) => it.day);
