import { impactReads } from '@stanza/runtime';
import type { BatchRow } from '../domain/tables.ts';

const read = [
  'id',
  'queue_id',
  'policy',
  'opened_at',
  'window_end',
  'latest_end',
  'closed_at',
  'close_reason',
] as const;

/** A recent batch of a template. */
export type RecentBatch = Pick<BatchRow, (typeof read)[number]>;

/** Batches of each queue that are looked at; what a template sees changes little from one to the next. */
const batchesOfQueue = 10;
/** Batches of each queue among which those of the template are found: it may have changed its template since. */
const searchedOfQueue = 100;
/** Batches and queues that are counted or searched at most, however many there are. */
const most = 1_000;

const columns = [...read, 'byte_count'];
const listed = columns.join(', ');

/**
 * The batches of a template, as `found`: the undelivered ones whose policy names it, which their digests will use however
 * their queues have changed since, and the newest of the queues that name it now.
 */
const found = `queue as (
     select organization_id, environment, id
     from queues
     where organization_id = $1 and environment = $2 and template_id = $3 and deleted_at is null
     order by is_active desc, created_at desc, id desc
     limit ${most}
   ), undelivered as (
     select ${listed}
     from batches as batch
     where organization_id = $1 and environment = $2 and policy ->> 'template_id' = $3::uuid::text
       and status <> 'delivered' and event_count > 0
       and exists (
         select
         from queues
         where queues.organization_id = $1 and queues.environment = $2 and queues.id = batch.queue_id
           and queues.deleted_at is null)
     order by opened_at desc, id desc
     limit ${most}
   ), delivered as (
     select ${columns.map((column) => `batch.${column}`).join(', ')}
     from queue
     cross join lateral (
       select ${listed}
       from (
         select ${listed}, event_count, status
         from batches
         where organization_id = queue.organization_id and environment = queue.environment
           and queue_id = queue.id
         order by opened_at desc, id desc
         limit ${searchedOfQueue}
       ) as newest
       where event_count > 0 and status = 'delivered' and policy ->> 'template_id' = $3::uuid::text
       order by opened_at desc, id desc
       limit ${batchesOfQueue}
     ) as batch
   ), found as (
     select ${listed} from undelivered
     union all
     select ${listed} from delivered
   )`;

const reads = impactReads<RecentBatch>('recent-batches', {
  given: found,
  from: 'found',
  columns: read.join(', '),
  newest: 'opened_at desc, id desc',
  bytes: 'byte_count',
  counted: `(select id from found limit ${most}) as counted`,
});

/** The newest batches of a template, within the bounds of an impact; see {@link found}. */
export const recentBatchesOf = reads.newest;

/** How many batches {@link found} holds; a thousand at most. */
export const countBatchesOf = reads.count;
