import type { CloseReason, Environment } from '@stanza/contracts';
import { DueOrganizations, largestOf, statement, type Tenant, type Transaction } from '@stanza/runtime';

/** A closed batch, with the facts for its delivery. */
export interface ClosedBatch {
  organization_id: string;
  environment: Environment;
  id: string;
  queue_id: string;
  operation_id: string;
  close_reason: CloseReason;
  event_count: number;
  window_end: Date;
  closed_at: Date;
  traceparent: string | null;
}

/** Batches closed by one run: one more for each organization at most, since their shares are rounded up. */
const closedByRun = 200;

/** Batches of the organization that has most of them. */
export const largestShare = (of: readonly Pick<ClosedBatch, 'organization_id'>[]): number => {
  const byOrganization = Map.groupBy(of, (it) => it.organization_id);
  return largestOf([...byOrganization.values()].map((ofOne) => ofOne.length));
};

/** Collecting batches, as the index of them by organization has it; see `tables.ts`. */
const open = "status = 'collecting' and closed_at is null";

/** Makes what finds the organizations with due batches. */
export const dueClosings = (): DueOrganizations =>
  new DueOrganizations({ name: 'batch', table: 'batches', moment: 'window_end', where: open });

// A share for each organization keeps both bounded: what is locked, which is what is closed, and what is read of a backlog.
// The locked rows are updated by their place in the table: to join a few of them Postgres may read many others. One that a
// push has changed since the statement began has another place, and is left to the next run.
const closeDueBatches = statement<ClosedBatch>(
  'batch-close-due',
  `with moment as materialized (
     select clock_timestamp() as at
   ),
   due as (
     select first.place
     from unnest($2::uuid[]) as organization (organization_id)
     cross join lateral (
       select ctid as place
       from batches
       where batches.organization_id = organization.organization_id
         and ${open}
         and window_end <= (select at from moment)
       order by window_end
       limit $1
       for update skip locked) as first
   )
   update batches
   set status = 'ready', closed_at = moment.at, live_at = moment.at, attempt = 1, operation_id = uuidv7(),
     close_reason = case
       when policy ->> 'mode' = 'fixed_volume' then 'max_wait'
       when window_end < latest_end then 'window_elapsed'
       else 'max_window'
     end
   from moment
   where batches.ctid = any (array(select place from due))
   returning batches.organization_id, batches.environment, batches.id, batches.queue_id, batches.operation_id,
     batches.close_reason, batches.event_count, batches.window_end, batches.closed_at, batches.traceparent`,
);

/**
 * Closes due batches of these organizations, of each the first ones up to an equal share; those locked by a push or another
 * replica are skipped. The statement gives the close reason of `endOf` in `domain/batching.ts`.
 * @returns what it closed, and whether one of the organizations has had its whole share and may have more
 */
export const closeDue = async (
  tx: Transaction,
  organizations: readonly string[],
): Promise<{ closed: ClosedBatch[]; isShareFull: boolean }> => {
  const share = Math.ceil(closedByRun / organizations.length);
  const closed = await tx.query(closeDueBatches, [share, organizations]);
  return { closed, isShareFull: largestShare(closed) === share };
};

const closeOpenBatch = statement<ClosedBatch>(
  'batch-flush',
  `update batches
   set status = 'ready', closed_at = moment.at, live_at = moment.at, attempt = 1, operation_id = $4,
     close_reason = 'flushed'
   from (select clock_timestamp() as at) as moment
   where organization_id = $1 and environment = $2 and queue_id = $3 and status = 'collecting'
   returning organization_id, environment, id, queue_id, operation_id, close_reason, event_count, window_end,
     closed_at, traceparent`,
);

/** Closes the open batch of a queue, if any. */
export const closeOpen = async (
  tenant: Tenant,
  tx: Transaction,
  queueId: string,
  operationId: string,
): Promise<ClosedBatch | undefined> => {
  const { organizationId, environment } = tenant;
  const [closed] = await tx.query(closeOpenBatch, [organizationId, environment, queueId, operationId]);
  return closed;
};
