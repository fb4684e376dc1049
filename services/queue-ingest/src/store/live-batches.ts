import type { Environment } from '@stanza/contracts';
import {
  DueOrganizations,
  findRow,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type BatchRow, batches, isToBeShown } from '../domain/tables.ts';
import { liveInterval } from './live-due.ts';

/** A live batch whose new events are to be shown, by an operation of its own. */
export interface ShownBatch {
  organization_id: string;
  environment: Environment;
  id: string;
  queue_id: string;
  operation_id: string;
  traceparent: string | null;
}

/** Batches of one run: one more for each organization at most, since their shares are rounded up. */
const shownByRun = 200;

/** Makes what finds the organizations with live batches to be shown. */
export const dueShowings = (): DueOrganizations =>
  new DueOrganizations({ name: 'batch-live', table: 'batches', moment: 'live_due_at', where: isToBeShown });

// As the closings: the first ones of each organization, by their place in the table.
const show = statement<ShownBatch>(
  'batch-live-show',
  `with due as (
     select first.place
     from unnest($2::uuid[]) as organization (organization_id)
     cross join lateral (
       select ctid as place
       from batches
       where batches.organization_id = organization.organization_id
         and ${isToBeShown}
         and live_due_at <= (select clock_timestamp())
       order by live_due_at
       limit $1
       for update skip locked) as first
   )
   update batches
   set live_operation_id = uuidv7(), live_shown_at = clock_timestamp(), live_due_at = null
   where ctid = any (array(select place from due))
   returning organization_id, environment, id, queue_id, live_operation_id as operation_id, traceparent`,
);

/**
 * Begins to show the due batches of these organizations, of each the first ones up to an equal share. A batch is shown by
 * one operation at a time, until its outcome is reported.
 * @returns what is to be shown, and whether there may be more
 */
export const showDue = async (
  tx: Transaction,
  organizations: readonly string[],
): Promise<{ shown: ShownBatch[]; isShareFull: boolean }> => {
  const share = Math.ceil(shownByRun / organizations.length);
  const shown = await tx.query(show, [share, organizations]);
  const byOrganization = Map.groupBy(shown, (it) => it.organization_id);
  return { shown, isShareFull: [...byOrganization.values()].some((ofOne) => ofOne.length === share) };
};

const find = statement<BatchRow & { at: Date }>(
  'batch-live-find',
  `select ${columnsOf(batches)}, clock_timestamp()::timestamptz(3) as at
   from batches
   where organization_id = $1 and environment = $2 and id = $3 and live_operation_id = $4
     and status = 'collecting'`,
);

/** Reads a live batch for the operation that shows it, with the moment; undefined once it has closed. */
export const findShown = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  id: string,
  operationId: string,
): Promise<(BatchRow & { at: Date }) | undefined> =>
  findRow(db, find, [organizationId, environment, id, operationId]);

// What has come since is shown an interval later. A closed batch takes the message of its own delivery.
const end = statement<Pick<BatchRow, 'id'>>(
  'batch-live-end',
  `update batches
   set live_operation_id = null,
     live_shown_at = case when $5::uuid is null then live_shown_at else clock_timestamp() end,
     live_due_at = case when live_due_at is not null then clock_timestamp() + ${liveInterval} end,
     message_id = case when status = 'collecting' then coalesce($5::uuid, message_id) else message_id end
   where organization_id = $1 and environment = $2 and id = $3 and live_operation_id = $4
   returning id`,
  { wakes: 'close-batches' },
);

/**
 * Ends the operation that showed a batch, so that the next one may begin.
 * @param messageId the message that shows it now, if it was posted or updated
 * @returns false for another operation
 */
export const endShowing = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  { id, operationId, messageId }: { id: string; operationId: string; messageId: string | undefined },
): Promise<boolean> =>
  (await tx.query(end, [organizationId, environment, id, operationId, messageId])).length > 0;
