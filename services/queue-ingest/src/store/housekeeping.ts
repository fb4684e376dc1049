import { type Database, type Queryable, statement } from '@stanza/runtime';

const makePartitions = statement<{ made: number }>(
  'events-make-partitions',
  'select make_event_partitions($1::date, $2) as made',
);

/** Makes the partitions of a day and of the days after it; answers how many were missing. */
export const makeEventPartitions = async (db: Queryable, day: string, days: number): Promise<number> => {
  const [row] = await db.query(makePartitions, [day, days]);
  return row?.made ?? 0;
};

const dropPartition = statement<{ dropped: boolean }>(
  'events-drop-partition',
  'select drop_event_partition($1::date) as dropped',
);

/** Drops the partition of a day if nothing is left in it. */
export const dropEventPartition = async (db: Queryable, day: string): Promise<boolean> => {
  const [row] = await db.query(dropPartition, [day]);
  return row?.dropped ?? false;
};

const partitionDays = statement<{ day: string }>(
  'events-partition-days',
  `select to_char(to_date(right(child.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day
   from pg_inherits
   join pg_class child on child.oid = inhrelid
   where inhparent = 'events'::regclass and child.relname ~ '^events_\\d{8}$'
   order by day`,
);

/** The days that have a partition of their own, oldest first. */
export const daysWithPartition = async (db: Queryable): Promise<string[]> =>
  (await db.query(partitionDays)).map((it) => it.day);

const countDefault = statement<{ rows: boolean }>(
  'events-default-used',
  'select exists (select from events_default) as rows',
);

/** True when events came on a day that had no partition. */
export const isDefaultUsed = async (db: Queryable): Promise<boolean> => {
  const [row] = await db.query(countDefault);
  return row?.rows ?? false;
};

/** Rows deleted by one statement, so that none of them holds many locks for long. */
const chunk = 5_000;

interface Deleted {
  deleted: number;
}

const deleteSpentBatches = statement<Deleted>(
  'retention-batches',
  `with spent as (
     select organization_id, environment, id, opened_at
     from batches
     where status = 'delivered' and ended_at < $1
     order by ended_at
     limit 100
     for update skip locked
   ), gone as (
     delete from events
     using spent
     where events.batch_id = spent.id and events.received_at >= spent.opened_at
   ), ended as (
     delete from batches
     using spent
     where batches.organization_id = spent.organization_id and batches.environment = spent.environment
       and batches.id = spent.id
     returning batches.id
   )
   select count(*) as deleted
   from ended`,
);

const deleteKeys = statement<Deleted>(
  'retention-keys',
  `with old as (
     select organization_id, environment, queue_id, event_key
     from event_keys
     where received_at < $1
     limit ${chunk}
     for update skip locked
   ), gone as (
     delete from event_keys
     using old
     where event_keys.organization_id = old.organization_id and event_keys.environment = old.environment
       and event_keys.queue_id = old.queue_id and event_keys.event_key = old.event_key
     returning 1
   )
   select count(*) as deleted
   from gone`,
);

const deletePushes = statement<Deleted>(
  'retention-pushes',
  `with old as (
     select organization_id, environment, operation_id
     from pushes
     where pushed_at < $1
     limit ${chunk}
     for update skip locked
   ), gone as (
     delete from pushes
     using old
     where pushes.organization_id = old.organization_id and pushes.environment = old.environment
       and pushes.operation_id = old.operation_id
     returning 1
   )
   select count(*) as deleted
   from gone`,
);

const deleteDays = statement<Deleted>(
  'retention-days',
  `with gone as (
     delete from daily_events
     where day < $1::date
     returning 1
   )
   select count(*) as deleted
   from gone`,
);

const untilNone = async (run: () => Promise<Deleted[]>): Promise<number> => {
  let all = 0;
  for (;;) {
    const [row] = await run();
    if (!row || row.deleted === 0) return all;
    all += row.deleted;
  }
};

/** Deletes batches that were delivered before a moment, with their events; nothing else is ever deleted. */
export const deleteDelivered = (database: Database, before: Date): Promise<number> =>
  untilNone(() => database.query(deleteSpentBatches, [before]));

/** Deletes keys of events that came before a moment. */
export const deleteEventKeys = (database: Database, before: Date): Promise<number> =>
  untilNone(() => database.query(deleteKeys, [before]));

/** Deletes the answers of pushes before a moment. */
export const deletePushAnswers = (database: Database, before: Date): Promise<number> =>
  untilNone(() => database.query(deletePushes, [before]));

/** Deletes the counters of days before a day. */
export const deleteDailyEvents = async (database: Database, day: string): Promise<void> => {
  await database.query(deleteDays, [day]);
};

/** How the open and the stuck batches stand. */
export interface BatchGauges {
  status: string;
  batches: number;
  oldest: Date;
}

const countOpen = statement<BatchGauges>(
  'batches-gauges',
  `select status, count(*) as batches, min(opened_at) as oldest
   from batches
   where status = 'collecting'
   group by status
   union all
   select status, count(*), min(closed_at)
   from batches
   where status not in ('collecting', 'delivered')
   group by status`,
);

const longestDue = statement<{ window_end: Date }>(
  'batches-longest-due',
  `select window_end
   from batches
   where status = 'collecting'
   order by window_end
   limit 1`,
);

/** The end of the collecting batch that ends first, if there is one; read from the index of what is due. */
export const firstEnd = async (db: Queryable): Promise<Date | undefined> => {
  const [row] = await db.query(longestDue);
  return row?.window_end;
};

/** Counts the batches that are not delivered; each half has a partial index that holds nothing else. */
export const countUndelivered = (db: Queryable): Promise<BatchGauges[]> => db.query(countOpen);
