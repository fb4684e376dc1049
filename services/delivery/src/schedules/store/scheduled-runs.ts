import {
  deletedAtOnce,
  inBatches,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { ScheduledMessageRow, ScheduledRunRow } from '../../store/rows.ts';

const insert = statement<Pick<ScheduledRunRow, 'operation_id'>>(
  'run-insert',
  `insert into scheduled_runs
     (organization_id, environment, scheduled_message_id, due_at, operation_id, status, started_at, ended_at)
   values ($1, $2, $3, $4, $5, $6, $7, case when $6 = 'skipped' then $7::timestamptz end)
   on conflict do nothing
   returning operation_id`,
);

/** A run as it is begun, or passed over. */
export type NewScheduledRun = Pick<
  ScheduledRunRow,
  'scheduled_message_id' | 'due_at' | 'operation_id' | 'started_at'
> & { status: 'pending' | 'skipped' };

/**
 * Writes down a run of a scheduled message, which must be locked.
 * @returns false when there is one of this time already
 */
export const insertRun = async (tenant: Tenant, tx: Transaction, run: NewScheduledRun): Promise<boolean> => {
  const rows = await tx.query(insert, [
    tenant.organizationId,
    tenant.environment,
    run.scheduled_message_id,
    run.due_at,
    run.operation_id,
    run.status,
    run.started_at,
  ]);
  return rows.length === 1;
};

const end = statement<Record<string, never>>(
  'run-end',
  `update scheduled_runs
   set status = $4,
       message_id = $5,
       error = $6,
       error_details = $7,
       ended_at = $8
   where organization_id = $1
     and environment = $2
     and operation_id = $3
     and status in ('pending', 'unknown')`,
);

/** What became of the message of a run. */
export type RunOutcome = Pick<ScheduledRunRow, 'operation_id' | 'message_id' | 'error' | 'error_details'> & {
  status: 'sent' | 'failed' | 'unknown';
};

/** Writes down what became of a run; an unknown outcome may become known later. */
export const endRun = async (
  tenant: Tenant,
  tx: Transaction,
  { operation_id, status, message_id, error, error_details }: RunOutcome,
  at: Date,
): Promise<void> => {
  const { organizationId, environment } = tenant;
  await tx.query(end, [
    organizationId,
    environment,
    operation_id,
    status,
    message_id,
    error,
    error_details,
    at,
  ]);
};

const latest = statement<ScheduledRunRow>(
  'runs-latest',
  `select *
   from scheduled_runs
   where organization_id = $1
     and environment = $2
     and scheduled_message_id = $3
   order by due_at desc
   limit $4`,
);

/** Runs that are shown of a scheduled message. */
export const shownRuns = 20;

/** The latest runs of a scheduled message, newest first. */
export const latestRuns = (
  tenant: Tenant,
  db: Queryable,
  scheduledMessageId: string,
  limit: number,
): Promise<ScheduledRunRow[]> =>
  db.query(latest, [tenant.organizationId, tenant.environment, scheduledMessageId, limit]);

const last = statement<ScheduledRunRow>(
  'runs-last',
  `select run.*
   from unnest($3::uuid[]) as asked (id)
   cross join lateral (
     select *
     from scheduled_runs
     where organization_id = $1
       and environment = $2
       and scheduled_message_id = asked.id
     order by due_at desc
     limit 1
   ) as run`,
);

/** The latest run of each scheduled message that has one, by its id. */
export const lastRuns = async (
  tenant: Tenant,
  db: Queryable,
  messages: readonly Pick<ScheduledMessageRow, 'id'>[],
): Promise<Map<string, ScheduledRunRow>> => {
  const ids = messages.map((it) => it.id);
  const rows = await db.query(last, [tenant.organizationId, tenant.environment, ids]);
  return new Map(rows.map((it) => [it.scheduled_message_id, it]));
};

const pending = statement<Pick<ScheduledRunRow, 'operation_id'>>(
  'runs-pending',
  `select operation_id
   from scheduled_runs
   where organization_id = $1
     and environment = $2
     and scheduled_message_id = $3
     and status = 'pending'`,
);

/** The operations of runs that are on their way. */
export const pendingRuns = async (
  tenant: Tenant,
  db: Queryable,
  scheduledMessageId: string,
): Promise<string[]> => {
  const rows = await db.query(pending, [tenant.organizationId, tenant.environment, scheduledMessageId]);
  return rows.map((it) => it.operation_id);
};

const forget = statement<object>(
  'runs-forget',
  `with chosen as (
     select organization_id, environment, scheduled_message_id, due_at
     from scheduled_runs as run
     where ended_at < $1
       and exists (
         select
         from scheduled_runs as later
         where later.organization_id = run.organization_id
           and later.environment = run.environment
           and later.scheduled_message_id = run.scheduled_message_id
           and later.due_at > run.due_at)
     order by ended_at
     limit ${deletedAtOnce}
   )
   delete from scheduled_runs as run
   using chosen
   where run.organization_id = chosen.organization_id
     and run.environment = chosen.environment
     and run.scheduled_message_id = chosen.scheduled_message_id
     and run.due_at = chosen.due_at
   returning 1`,
);

/** Drops runs that ended before a moment; the last one of each scheduled message stays. */
export const forgetRuns = (db: Queryable, before: Date): Promise<number> =>
  inBatches(() => db.query(forget, [before]));
