import { deletion, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { columnsOf, tenantRead } from '@stanza/runtime/table';
import { runsWithSchedule } from '../../messages/store/run-outcomes.ts';
import { type ScheduledMessageRow, type ScheduledRunRow, scheduledRuns } from '../schedule-tables.ts';

const insert = statement<Pick<ScheduledRunRow, 'operation_id'>>(
  'run-insert',
  `insert into scheduled_runs
     (organization_id, environment, scheduled_message_id, due_at, operation_id, status, started_at, ended_at,
      requested_by, requested_operation_id)
   values ($1, $2, $3, $4, $5, $6, $7, case when $6 = 'skipped' then $7::timestamptz end, $8, $9)
   on conflict do nothing
   returning operation_id`,
);

/** A begun or skipped run. */
export type NewScheduledRun = Pick<
  ScheduledRunRow,
  'scheduled_message_id' | 'due_at' | 'operation_id' | 'started_at'
> &
  Partial<Pick<ScheduledRunRow, 'requested_by' | 'requested_operation_id'>> & {
    status: 'pending' | 'skipped';
  };

/**
 * Stores a run of a scheduled message, which must be locked.
 * @returns false when a run of this time exists
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
    run.requested_by ?? null,
    run.requested_operation_id ?? null,
  ]);
  return rows.length === 1;
};

const runBy = (name: string, column: 'operation_id' | 'requested_operation_id') => {
  const read = statement<ScheduledRunRow>(name, tenantRead(scheduledRuns, `and ${column} = $3`));
  return async (
    { organizationId, environment }: Tenant,
    db: Queryable,
    operationId: string,
  ): Promise<ScheduledRunRow | undefined> => {
    const [row] = await db.query(read, [organizationId, environment, operationId]);
    return row;
  };
};

/** The run that an operation asked for; its own operation is another one, which a repost replaces. */
export const findRequestedRun = runBy('run-requested', 'requested_operation_id');

/** The run whose message an operation sends. */
export const findRunOf = runBy('run-of-operation', 'operation_id');

const repostable = statement<{ repostable: boolean }>(
  'runs-repostable',
  `select exists (
     select
     from ${runsWithSchedule}
     where run.organization_id = $1
       and run.environment = $2
       and run.scheduled_message_id = $3
       and run.status = 'unknown'
       and run.reposts < $4
       and scheduled.on_unknown = 'repost'
   ) as repostable`,
);

/** True while a run of unknown outcome may be posted again. */
export const hasRepostableRun = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  scheduledMessageId: string,
  maxReposts: number,
): Promise<boolean> => {
  const [row] = await tx.query(repostable, [organizationId, environment, scheduledMessageId, maxReposts]);
  return row?.repostable ?? false;
};

const latest = statement<ScheduledRunRow>(
  'runs-latest',
  tenantRead(scheduledRuns, 'and scheduled_message_id = $3 order by due_at desc limit $4'),
);

/** Number of past runs shown. */
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
  `select ${columnsOf(scheduledRuns, 'run')}
   from unnest($3::uuid[]) as asked (id)
   cross join lateral (
     select ${columnsOf(scheduledRuns)}
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

/** The operations of runs in flight. */
export const pendingRuns = async (
  tenant: Tenant,
  db: Queryable,
  scheduledMessageId: string,
): Promise<string[]> => {
  const rows = await db.query(pending, [tenant.organizationId, tenant.environment, scheduledMessageId]);
  return rows.map((it) => it.operation_id);
};

const forget = deletion('runs-forget', {
  from: 'scheduled_runs',
  where: `ended_at < (select clock_timestamp()) - interval '30 days'
    and exists (
      select
      from scheduled_runs as later
      where later.organization_id = doomed.organization_id
        and later.environment = doomed.environment
        and later.scheduled_message_id = doomed.scheduled_message_id
        and later.due_at > doomed.due_at)`,
  orderBy: 'ended_at',
});

/** Deletes runs that ended a month ago; the last one of each scheduled message stays. */
export const forgetRuns = (db: Queryable): Promise<number> => forget(db);
