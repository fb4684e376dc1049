import { type Database, deletion, type Queryable, type Statement, statement } from '@stanza/runtime';
import { keyLife } from './push-events.ts';

interface Deleted {
  deleted: number;
}

/** Deletes batches with their events, as many as `spent` names and locks. */
const deletingBatches = (name: string, spent: string): Statement<Deleted> =>
  statement<Deleted>(
    name,
    `with spent as (${spent}
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

const longAgo = (moment: string): string =>
  `${moment} < (select clock_timestamp()) - $1::integer * interval '1 day'`;

const deleteSpentBatches = deletingBatches(
  'retention-batches',
  `
     select organization_id, environment, id, opened_at
     from batches
     where status = 'delivered' and ${longAgo('ended_at')}
     order by ended_at
     limit 100
     for update skip locked`,
);

// Few queues are deleted, and none for long: they are found by a look at all queues.
const deleteLeftBatches = deletingBatches(
  'retention-left-batches',
  `
     select batch.organization_id, batch.environment, batch.id, batch.opened_at
     from queues as queue
     join batches as batch
       on batch.organization_id = queue.organization_id and batch.environment = queue.environment
       and batch.queue_id = queue.id
     where ${longAgo('queue.deleted_at')} and batch.status in ('failed', 'unknown')
     limit 100
     for update of batch skip locked`,
);

const deleteEmptyQueues = deletion('retention-queues', {
  from: 'queues',
  where: `${longAgo('deleted_at')}
    and not exists (
      select
      from batches
      where batches.organization_id = doomed.organization_id and batches.environment = doomed.environment
        and batches.queue_id = doomed.id)`,
});

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

const deleteBatches = async (
  database: Database,
  asked: Statement<Deleted>,
  days: number,
): Promise<number> => {
  let all = 0;
  for (;;) {
    const [row] = await database.query(asked, [days]);
    if (!row || row.deleted === 0) return all;
    all += row.deleted;
  }
};

/** Deletes batches delivered the given number of days ago, with their events, and nothing else. */
export const deleteDelivered = (database: Database, days: number): Promise<number> =>
  deleteBatches(database, deleteSpentBatches, days);

/**
 * Deletes queues that were deleted the given number of days ago, with their failed and unknown batches, which no request
 * reaches any more. A queue stays as long as a batch that was delivered since. Returns the number of batches.
 */
export const deleteLeft = async (database: Database, days: number): Promise<number> => {
  const batches = await deleteBatches(database, deleteLeftBatches, days);
  await deleteEmptyQueues(database, [days]);
  return batches;
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
const maxCounted = 10_000;

const countOpen = statement<BatchGauges>(
  'batches-gauges',
  `select 'collecting' as status, count(*) as batches, ${secondsSince('min(opened_at)')} as seconds,
     ${secondsSince('min(window_end)')} as overdue_seconds
   from (
     select opened_at, window_end
     from batches
     where status = 'collecting'
     order by window_end
     limit ${maxCounted}) as collecting
   having count(*) > 0
   union all
   select known.status, count(*), ${secondsSince('min(unfinished.closed_at)')}, 0
   from unnest(array['ready', 'delivering', 'failed', 'unknown']) as known (status)
   cross join lateral (
     select closed_at
     from batches
     where batches.status not in ('collecting', 'delivered')
       and batches.status = known.status
       and not exists (
         select
         from queues
         where queues.organization_id = batches.organization_id and queues.environment = batches.environment
           and queues.id = batches.queue_id and queues.deleted_at is not null)
     order by closed_at
     limit ${maxCounted}) as unfinished
   group by known.status`,
);

/** Counts the undelivered batches of present queues, along the partial indexes of the undelivered ones. */
export const countUndelivered = (db: Queryable): Promise<BatchGauges[]> => db.query(countOpen);
