import { type Database, deletion, type Queryable, statement } from '@stanza/runtime';
import { keyLife } from './push-events.ts';

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
   ), gone_pushes as (
     delete from event_pushes
     using spent
     where event_pushes.batch_id = spent.id and event_pushes.received_at >= spent.opened_at - interval '1 day'
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

const deleteKeys = deletion('retention-keys', {
  from: 'event_keys',
  where: `received_at < (select clock_timestamp()) - ${keyLife}`,
});

const deletePushes = deletion('retention-pushes', {
  from: 'pushes',
  where: "pushed_at < (select clock_timestamp()) - $1::integer * interval '1 day'",
});

const deleteDays = deletion('retention-days', {
  from: 'daily_events',
  where: "day < (clock_timestamp() at time zone 'UTC')::date - $1::integer",
});

/** Deletes batches delivered the given number of days ago, with their events, and nothing else. */
export const deleteDelivered = async (database: Database, days: number): Promise<number> => {
  let all = 0;
  for (;;) {
    const [row] = await database.query(deleteSpentBatches, [days]);
    if (!row || row.deleted === 0) return all;
    all += row.deleted;
  }
};

/** Deletes keys of events that are no longer remembered. */
export const deleteEventKeys = (database: Database): Promise<number> => deleteKeys(database);

/** Deletes the answers of pushes older than the given days. */
export const deletePushAnswers = (database: Database, days: number): Promise<number> =>
  deletePushes(database, [days]);

/** Deletes daily counters older than the given days. */
export const deleteDailyEvents = (database: Database, days: number): Promise<number> =>
  deleteDays(database, [days]);

/** The numbers and ages of open and stuck batches. */
export interface BatchGauges {
  status: string;
  batches: number;
  /** Age of the oldest, since its opening or closing. */
  seconds: number;
  /** Seconds for which the most overdue open one has been due. */
  overdue_seconds: number;
}

/** By the clock of the database, which wrote the moment. */
const secondsSince = (moment: string): string =>
  `greatest(0, extract(epoch from clock_timestamp() - ${moment}))::float8`;

/** Batches of a status are counted up to this number, oldest first, which keeps the measurement cheap. */
const mostCounted = 10_000;

const countOpen = statement<BatchGauges>(
  'batches-gauges',
  `select 'collecting' as status, count(*) as batches, ${secondsSince('min(opened_at)')} as seconds,
     ${secondsSince('min(window_end)')} as overdue_seconds
   from (
     select opened_at, window_end
     from batches
     where status = 'collecting'
     order by window_end
     limit ${mostCounted}) as collecting
   having count(*) > 0
   union all
   select known.status, count(*), ${secondsSince('min(unfinished.closed_at)')}, 0
   from unnest(array['ready', 'delivering', 'failed', 'unknown']) as known (status)
   cross join lateral (
     select closed_at
     from batches
     where batches.status not in ('collecting', 'delivered')
       and batches.status = known.status
     order by closed_at
     limit ${mostCounted}) as unfinished
   group by known.status`,
);

/** Counts the undelivered batches, along the partial indexes of exactly these rows. */
export const countUndelivered = (db: Queryable): Promise<BatchGauges[]> => db.query(countOpen);
