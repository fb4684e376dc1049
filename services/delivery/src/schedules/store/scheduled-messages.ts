import type { InputOf, listScheduledMessages, Page } from '@stanza/contracts';
import {
  type Database,
  DueOrganizations,
  deletedAtOnce,
  entityOf,
  inBatches,
  nextDue,
  ownerOf,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { IsNull } from 'typeorm';
import { claimOperation } from '../../messages/store/reservations.ts';
import { type ScheduledMessageRow, scheduledMessages } from '../schedule-tables.ts';

/** The entity of {@link scheduledMessages}. */
export const scheduledMessageEntity = entityOf(scheduledMessages);

/** A scheduled message to be stored. */
export type NewScheduledMessage = Omit<
  ScheduledMessageRow,
  'organization_id' | 'environment' | 'status' | 'updated_at' | 'ended_at' | 'data_bytes'
>;

const insert = statement<ScheduledMessageRow>(
  'scheduled-insert',
  `insert into scheduled_messages
     (organization_id, environment, id, operation_id, status, template_id, data, strict, locale, timezone, channel_id,
      recipient_email, recipient_chat_id, thread_ts, send_at, cron, catch_up, next_run_at, created_by, created_at,
      updated_at, on_unknown, options)
   values ($1, $2, $3, $4, 'active', $5, $6::json, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $19, coalesce($20, 'hold'), $21::json)
   on conflict on constraint scheduled_messages_once do nothing
   returning ${columnsOf(scheduledMessages)}`,
  { wakes: 'begin-due-runs' },
);

/**
 * Stores a scheduled message, unless its operation was reported to have done nothing.
 * @returns undefined when its operation has stored one before, or was withdrawn
 */
export const insertScheduledMessage = async (
  tenant: Tenant,
  tx: Transaction,
  made: NewScheduledMessage,
): Promise<ScheduledMessageRow | undefined> => {
  if (!(await claimOperation(tenant, tx, made.operation_id))) return undefined;
  const [row] = await tx.query(insert, [
    tenant.organizationId,
    tenant.environment,
    made.id,
    made.operation_id,
    made.template_id,
    JSON.stringify(made.data),
    made.strict,
    made.locale,
    made.timezone,
    made.channel_id,
    made.recipient_email,
    made.recipient_chat_id,
    made.thread_ts,
    made.send_at,
    made.cron,
    made.catch_up,
    made.next_run_at,
    made.created_by,
    made.created_at,
    made.on_unknown,
    made.options === null ? null : JSON.stringify(made.options),
  ]);
  return row;
};

const readMoment = statement<{ now: Date }>(
  'scheduled-moment',
  `select date_trunc('milliseconds', clock_timestamp()) as now`,
);

/** The present moment by the database's clock, which also decides when a run is due. */
export const momentOf = async (db: Queryable): Promise<Date> => {
  const [row] = await db.query(readMoment);
  if (!row) throw new TypeError('the database returned no time');
  return row.now;
};

/** Reads a scheduled message. */
export const findScheduledMessage = (
  tenant: Tenant,
  db: Queryable,
  id: string,
): Promise<ScheduledMessageRow | null> =>
  db.orm.findOneBy(scheduledMessageEntity, { ...ownerOf(tenant), id });

/** The scheduled message of an operation. */
export const findScheduledMessageMadeBy = (
  tenant: Tenant,
  db: Queryable,
  operationId: string,
): Promise<ScheduledMessageRow | null> =>
  db.orm.findOneBy(scheduledMessageEntity, { ...ownerOf(tenant), operation_id: operationId });

/** Reads a scheduled message and locks it against new runs until the transaction ends. */
export const lockScheduledMessage = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<ScheduledMessageRow | null> =>
  tx.orm.findOne(scheduledMessageEntity, {
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'pessimistic_write' },
  });

/** Lists scheduled messages, newest first; page and total come from one snapshot. */
export const pageOfScheduledMessages = (
  tenant: Tenant,
  database: Database,
  {
    status,
    template_id,
    limit,
    offset,
  }: Omit<InputOf<typeof listScheduledMessages>['query'], 'template_key'>,
): Promise<Page<ScheduledMessageRow>> =>
  database.transaction(
    async ({ orm }) => {
      const [items, total] = await orm.findAndCount(scheduledMessageEntity, {
        where: {
          ...ownerOf(tenant),
          ...(status !== undefined && { status }),
          ...(template_id !== undefined && { template_id }),
        },
        order: { id: 'DESC' },
        take: limit,
        skip: offset,
      });
      return { items, total };
    },
    { isolation: 'REPEATABLE READ' },
  );

/** References returned to a caller who wants to delete the template. */
const namedSchedules = 10;

/** The first scheduled messages of a template that have not ended; a paused one keeps its template. */
export const openSchedulesOf = (
  tenant: Tenant,
  db: Queryable,
  templateId: string,
): Promise<ScheduledMessageRow[]> =>
  db.orm.find(scheduledMessageEntity, {
    where: { ...ownerOf(tenant), template_id: templateId, ended_at: IsNull() },
    order: { id: 'ASC' },
    take: namedSchedules,
  });

/** A scheduled message with a due run. */
export type DueSchedule = ScheduledMessageRow & {
  next_run_at: Date;
  /** The present moment, by the database's clock. */
  looked_at: Date;
};

const due = statement<DueSchedule>(
  'scheduled-due',
  `with organization as (
     select unnest($2::uuid[]) as organization_id
   ),
   due as (
     select first.id
     from organization
     cross join lateral (
       select id, next_run_at, row_number() over (order by next_run_at) as turn
       from scheduled_messages as message
       where message.organization_id = organization.organization_id
         and status = 'active'
         and next_run_at <= (select clock_timestamp())
       order by next_run_at
       limit $1) as first
     order by first.turn, first.next_run_at
     limit $1
   )
   select ${columnsOf(scheduledMessages)}, clock_timestamp() as looked_at
   from scheduled_messages
   where organization_id = any ($2)
     and id = any (array(select id from due))
     and status = 'active' and next_run_at <= clock_timestamp()
   order by next_run_at
   for update skip locked`,
);

/** See {@link lockDue}. */
export const nextRun = nextDue('scheduled-next', {
  from: 'scheduled_messages',
  moment: 'next_run_at',
  where: "status = 'active'",
});

/** Makes what finds the organizations with due runs. */
export const dueSchedulers = (): DueOrganizations =>
  new DueOrganizations({
    name: 'scheduled',
    table: 'scheduled_messages',
    moment: 'next_run_at',
    where: "status = 'active'",
  });

/**
 * Locks scheduled messages with due runs, skipping those locked by others: the first of each organization, then the second
 * of each.
 */
export const lockDue = (
  tx: Transaction,
  organizations: readonly string[],
  limit: number,
): Promise<DueSchedule[]> => tx.query(due, [limit, organizations]);

/** Days for which ended scheduled messages are kept. */
export const scheduleDays = 30;

const oldestEnded = (condition: string): string => `
     select organization_id, environment, id
     from scheduled_messages as message
     where ended_at < (select clock_timestamp()) - interval '${scheduleDays} days'${condition}
     order by ended_at, id
     limit ${deletedAtOnce}`;

const forgetRuns = statement<object>(
  'scheduled-forget-runs',
  `with ended as (${oldestEnded('')}
   ), chosen as (
     select run.organization_id, run.environment, run.scheduled_message_id, run.due_at
     from ended
     join scheduled_runs as run
       on run.organization_id = ended.organization_id
       and run.environment = ended.environment
       and run.scheduled_message_id = ended.id
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

const withoutRuns = `
       and not exists (
         select
         from scheduled_runs as run
         where run.organization_id = message.organization_id
           and run.environment = message.environment
           and run.scheduled_message_id = message.id)`;

const forget = statement<object>(
  'scheduled-forget',
  `with ended as (${oldestEnded(withoutRuns)}
   )
   delete from scheduled_messages as message
   using ended
   where message.organization_id = ended.organization_id
     and message.environment = ended.environment
     and message.id = ended.id
   returning 1`,
);

/**
 * Deletes scheduled messages that ended a month ago, with their runs. Their messages have a log of their own. One may
 * have thousands of runs, so statements are bounded by runs as well: the runs of the oldest are deleted first, then the
 * scheduled messages without runs.
 */
export const forgetEndedSchedules = (db: Queryable): Promise<number> =>
  inBatches(async () => {
    await inBatches(() => db.query(forgetRuns));
    return db.query(forget);
  });
