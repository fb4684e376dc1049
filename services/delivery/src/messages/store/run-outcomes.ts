import type { ErrorCode } from '@stanza/contracts';
import { statement, type Tenant, type Transaction } from '@stanza/runtime';

/*
 * What the outcome of a message changes of the run that it belongs to. The other statements about runs are in
 * schedules/store; schedules know messages, and not the other way.
 */

/** Precedes the reason why a repost has failed. */
const stillUnknown = 'It was posted before with an unknown outcome, and posting it again failed.';

// After a repost the message before may be there, whatever becomes of this one.
const end = statement<Record<string, never>>(
  'run-end',
  `update scheduled_runs
   set status = case when $4 = 'failed' and reposts > 0 then 'unknown' else $4 end,
       message_id = $5,
       error = $6,
       error_details = case when $4 = 'failed' and reposts > 0
         then concat_ws(' ', '${stillUnknown}', $7::text) else $7 end,
       ended_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and operation_id = $3
     and status in ('pending', 'unknown')`,
);

/** The outcome of a run's message. */
export interface RunOutcome {
  operation_id: string;
  status: 'sent' | 'failed' | 'unknown';
  message_id: string | null;
  error: ErrorCode | null;
  error_details: string | null;
}

/** Writes the outcome of a run; an unknown one may be replaced later. A repost that fails leaves the run unknown. */
export const endRun = async (
  tenant: Tenant,
  tx: Transaction,
  { operation_id, status, message_id, error, error_details }: RunOutcome,
): Promise<void> => {
  const { organizationId, environment } = tenant;
  await tx.query(end, [organizationId, environment, operation_id, status, message_id, error, error_details]);
};

/** Runs, each with the scheduled message that it belongs to. */
export const runsWithSchedule = `scheduled_runs as run
     join scheduled_messages as scheduled
       on scheduled.organization_id = run.organization_id
       and scheduled.environment = run.environment
       and scheduled.id = run.scheduled_message_id`;

const repost = statement<{ scheduled_message_id: string }>(
  'run-repost',
  `with asking as (
     select scheduled.id
     from ${runsWithSchedule}
     where run.organization_id = $1
       and run.environment = $2
       and run.operation_id = $3
       and scheduled.status <> 'cancelled'
       and scheduled.on_unknown = 'repost'
     for share of scheduled
   )
   update scheduled_runs as run
   set operation_id = $4,
       status = 'pending',
       message_id = null,
       error = null,
       error_details = null,
       ended_at = null,
       reposts = run.reposts + 1
   from asking
   where run.organization_id = $1
     and run.environment = $2
     and run.operation_id = $3
     and run.status = 'unknown'
     and run.reposts < $5
     and run.scheduled_message_id = asking.id
   returning run.scheduled_message_id`,
);

/**
 * Begins an unknown run again under another operation, where its schedule asks for that and is not cancelled. The schedule
 * is locked: a cancellation comes before, or finds the run that has begun again.
 * @returns the schedule; undefined where the run is held, or has another operation by now
 */
export const repostRun = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  operations: { before: string; next: string },
  maxReposts: number,
): Promise<string | undefined> => {
  const values = [organizationId, environment, operations.before, operations.next, maxReposts];
  const [run] = await tx.query(repost, values);
  return run?.scheduled_message_id;
};
