import { InvariantError, type Queryable, statement } from '@stanza/runtime';

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

/** The days of a table, each `YYYY-MM-DD`, oldest first. */
export interface Calendar {
  /** In UTC by the clock of the database, which determines the day of an event. */
  today: string;
  /** Those with their own partition. */
  own: string[];
  /** Those whose events are in the default partition. They cannot get their own. */
  inDefault: string[];
}

const daysOf = (table: DailyTable) =>
  statement<{ kind: keyof Calendar; day: string }>(
    `${table.replace('_', '-')}-days`,
    `select 'today' as kind, to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD') as day
     union all
     select 'own', to_char(to_date(right(child.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD')
     from pg_inherits
     join pg_class child on child.oid = inhrelid
     where inhparent = '${table}'::regclass and child.relname ~ '_\\d{8}$'
     union all
     select distinct 'inDefault', to_char(received_at at time zone 'UTC', 'YYYY-MM-DD')
     from ${table}_default
     order by day`,
  );
const calendars = { events: daysOf('events'), event_pushes: daysOf('event_pushes') };

/** Reads the days of a table; its partitions from the catalog, without a lock. */
export const calendarOf = async (table: DailyTable, db: Queryable): Promise<Calendar> => {
  const rows = await db.query(calendars[table]);
  const daysIn = (kind: keyof Calendar) => rows.filter((it) => it.kind === kind).map((it) => it.day);
  const [today] = daysIn('today');
  if (today === undefined) throw new InvariantError('the database returned no day');
  return { today, own: daysIn('own'), inDefault: daysIn('inDefault') };
};
