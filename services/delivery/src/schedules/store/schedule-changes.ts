import { ownerOf, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { ScheduledMessageRow } from '../schedule-tables.ts';
import { type NewScheduledMessage, scheduledMessageEntity } from './scheduled-messages.ts';

const byDatabase = () => 'clock_timestamp()';

/** The states in which runs may still come. */
export const isOpenSchedule = ({ status }: Pick<ScheduledMessageRow, 'status'>): boolean =>
  status === 'active' || status === 'paused';

/** The chosen fields of a scheduled message. */
export type ScheduleContent = Omit<
  NewScheduledMessage,
  'id' | 'operation_id' | 'next_run_at' | 'created_by' | 'created_at'
>;

/** Changes a locked scheduled message, which ends where no runs may come any more. */
export const changeScheduledMessage = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Pick<ScheduledMessageRow, 'status' | 'next_run_at'>,
): Promise<void> => {
  const ended_at = isOpenSchedule(changes) ? null : byDatabase;
  const moments = { updated_at: byDatabase, ended_at };
  await tx.orm.update(scheduledMessageEntity, { ...ownerOf(tenant), id }, { ...changes, ...moments });
};

const replace = statement<Record<string, never>>(
  'scheduled-replace',
  `update scheduled_messages
   set template_id = $4, data = $5::json, strict = $6, locale = $7, timezone = $8, channel_id = $9,
     recipient_email = $10, recipient_chat_id = $11, thread_ts = $12, send_at = $13, cron = $14, catch_up = $15,
     on_unknown = $16, options = $17::json, next_run_at = $18, updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and id = $3`,
  { wakes: 'begin-due-runs' },
);

/** Replaces the chosen fields of a locked scheduled message, and its next run. */
export const replaceScheduledMessage = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  id: string,
  content: ScheduleContent & Pick<ScheduledMessageRow, 'next_run_at'>,
): Promise<void> => {
  await tx.query(replace, [
    organizationId,
    environment,
    id,
    content.template_id,
    JSON.stringify(content.data),
    content.strict,
    content.locale,
    content.timezone,
    content.channel_id,
    content.recipient_email,
    content.recipient_chat_id,
    content.thread_ts,
    content.send_at,
    content.cron,
    content.catch_up,
    content.on_unknown,
    content.options === null ? null : JSON.stringify(content.options),
    content.next_run_at,
  ]);
};

const activate = statement<Record<string, never>>(
  'scheduled-activate',
  `update scheduled_messages
   set status = 'active', next_run_at = $4, updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and id = $3`,
  { wakes: 'begin-due-runs' },
);

/** Resumes a locked scheduled message with its next run, which may be earlier than what the replicas wait for. */
export const activateScheduledMessage = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  id: string,
  next: Date,
): Promise<void> => {
  await tx.query(activate, [organizationId, environment, id, next]);
};
