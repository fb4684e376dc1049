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

/** The tables with a partition a day: events as rows, and as pushes. */
export const dailyTables = ['events', 'event_pushes'] as const;

/** One of {@link dailyTables}. */
export type DailyTable = (typeof dailyTables)[number];

const makePartition = statement<{ made: boolean }>(
  'events-make-partition',
  'select make_day_partition($1, $2::date) as made',
);

/**
 * Creates the partition of a day. It gives up after a fraction of a second while a transaction reads events, or another
 * replica creates one.
 * @returns whether it was created now
 */
export const makePartitionOf = async (table: DailyTable, db: Queryable, day: string): Promise<boolean> => {
  const [row] = await db.query(makePartition, [table, day]);
  return row?.made ?? false;
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
  'select drop_day_partition($1, $2::date) as outcome',
);

/** Drops the partition of a day if it is empty. It waits for a lock no longer than a fraction of a second. */
export const dropPartitionOf = async (
  table: DailyTable,
  db: Queryable,
  day: string,
): Promise<PartitionDrop> => {
  const [row] = await db.query(dropPartition, [table, day]);
  return row?.outcome ?? 'absent';
};

const partitionDays = statement<{ day: string }>(
  'events-partition-days',
  `select to_char(to_date(right(child.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
   from pg_inherits
   join pg_class child on child.oid = inhrelid
   where inhparent = $1::regclass and child.relname ~ '_\\d{8}$'
   order by day`,
);

/** The days with their own partition, oldest first; read from the catalog, without a lock. */
export const daysWithPartition = async (table: DailyTable, db: Queryable): Promise<string[]> =>
  (await db.query(partitionDays, [table])).map((it) => it.day);

const daysInDefault = (table: DailyTable) =>
  statement<{ day: string }>(
    `${table.replace('_', '-')}-default-days`,
    `select distinct to_char(received_at at time zone 'UTC', 'YYYY-MM-DD') as day
     from ${table}_default`,
  );
const inDefault = { events: daysInDefault('events'), event_pushes: daysInDefault('event_pushes') };

/** The days whose events are in the default partition. They cannot get their own. */
export const daysWithoutPartition = async (table: DailyTable, db: Queryable): Promise<string[]> =>
  (await db.query(inDefault[table])).map((it) => it.day);
