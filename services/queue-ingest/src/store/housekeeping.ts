import { type Database, type Queryable, statement } from '@stanza/runtime';

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
     where status = 'delivered' and ended_at < (select clock_timestamp()) - $1::integer * interval '1 day'
     order by ended_at
     limit 100
     for update skip locked
   ), gone as (
     delete from events
     using spent
     where events.batch_id = spent.id and events.received_at >= spent.opened_at - interval '1 day'
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
     where received_at < (select clock_timestamp()) - interval '24 hours'
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
     where pushed_at < (select clock_timestamp()) - $1::integer * interval '1 day'
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
     where ctid = any (array(
       select ctid from daily_events
       where day < (clock_timestamp() at time zone 'UTC')::date - $1::integer
       limit ${chunk}
       for update skip locked
     ))
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

/** Deletes batches that were delivered so many days ago, with their events; nothing else is ever deleted. */
export const deleteDelivered = (database: Database, days: number): Promise<number> =>
  untilNone(() => database.query(deleteSpentBatches, [days]));

/** Deletes keys of events that came more than a day ago. */
export const deleteEventKeys = (database: Database): Promise<number> =>
  untilNone(() => database.query(deleteKeys));

/** Deletes the answers of pushes of so many days ago. */
export const deletePushAnswers = (database: Database, days: number): Promise<number> =>
  untilNone(() => database.query(deletePushes, [days]));

/** Deletes the counters of days that are so many days ago. */
export const deleteDailyEvents = (database: Database, days: number): Promise<number> =>
  untilNone(() => database.query(deleteDays, [days]));

/** How the open and the stuck batches stand. */
export interface BatchGauges {
  status: string;
  batches: number;
  /** Since the oldest was opened, or closed. */
  seconds: number;
}

/** By the clock of the database, which wrote the moment. */
const secondsSince = (moment: string): string =>
  `greatest(0, extract(epoch from clock_timestamp() - ${moment}))::float8`;

const countOpen = statement<BatchGauges>(
  'batches-gauges',
  `select status, count(*) as batches, ${secondsSince('min(opened_at)')} as seconds
   from batches
   where status = 'collecting'
   group by status
   union all
   select status, count(*), ${secondsSince('min(closed_at)')}
   from batches
   where status not in ('collecting', 'delivered')
   group by status`,
);

/** Counts the batches that are not delivered; each half has a partial index that holds nothing else. */
export const countUndelivered = (db: Queryable): Promise<BatchGauges[]> => db.query(countOpen);

const longestDue = statement<{ seconds: number }>(
  'batches-longest-due',
  `select ${secondsSince('window_end')} as seconds
   from batches
   where status = 'collecting'
   order by window_end
   limit 1`,
);

/** Seconds for which the batch that should have been closed first has been due; read from the index of what is due. */
export const longestOverdue = async (db: Queryable): Promise<number> => {
  const [row] = await db.query(longestDue);
  return row?.seconds ?? 0;
};
