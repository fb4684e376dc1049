import type {
  ErrorCode,
  ScheduledMessageDetails,
  ScheduledRunStatus,
  ScheduleStatus,
  UnknownPolicy,
} from '@stanza/contracts';
import {
  boolean,
  check,
  integer,
  json,
  nullable,
  ofTenant,
  type RowOf,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

/** Options of a send that a schedule stores. */
export type ScheduledOptions = Pick<
  ScheduledMessageDetails,
  | 'reply_to'
  | 'visible_to'
  | 'message_key'
  | 'on_existing'
  | 'reply_broadcast'
  | 'unfurl_links'
  | 'unfurl_media'
>;

/** A message that is sent at a time, or repeatedly. */
export const scheduledMessages = table('scheduled_messages', {
  columns: {
    ...tenant,
    id: uuid(),
    operation_id: uuid(),
    status: text<ScheduleStatus>(),
    template_id: uuid(),
    data: json<Record<string, unknown>>(),
    strict: nullable(boolean()),
    locale: nullable(text()),
    /** Of the cron, and of dates in the message. */
    timezone: nullable(text()),
    channel_id: nullable(text()),
    recipient_email: nullable(text()),
    recipient_chat_id: nullable(text()),
    thread_ts: nullable(text()),
    send_at: nullable(timestamp()),
    cron: nullable(text()),
    catch_up: boolean(),
    on_unknown: withDefault(text<UnknownPolicy>(), 'hold'),
    /** Null unless it is active. */
    next_run_at: nullable(timestamp()),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
    ended_at: nullable(timestamp()),
    /** Those that are given of its messages. */
    options: nullable(json<ScheduledOptions>()),
    /** Of the data; written by a trigger, null where the row is older than it. */
    data_bytes: nullable(integer()),
  },
  primaryKey: { name: 'scheduled_messages_pk', columns: ofTenant('id') },
  checks: [
    check('scheduled_messages_environment', "environment in ('production', 'preview')"),
    check('scheduled_messages_status', "status in ('active', 'paused', 'completed', 'cancelled')"),
    check('scheduled_messages_recipient', 'num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1'),
    check('scheduled_messages_timing', 'num_nonnulls(send_at, cron) = 1'),
    check('scheduled_messages_next', "(next_run_at is not null) = (status = 'active')"),
    check('scheduled_messages_ended', "(ended_at is null) = (status in ('active', 'paused'))"),
  ],
  uniques: [{ name: 'scheduled_messages_once', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'scheduled_messages_template', columns: ofTenant('template_id', 'id') },
    { name: 'scheduled_messages_by_status', columns: ofTenant('status', 'id') },
    { name: 'scheduled_messages_due', columns: ['next_run_at'], where: "status = 'active'" },
    {
      name: 'scheduled_messages_turns',
      columns: ['organization_id', 'next_run_at'],
      where: "status = 'active'",
    },
    {
      name: 'scheduled_messages_data_bytes',
      columns: ['organization_id', 'data_bytes'],
      where: "status = 'active'",
    },
    {
      name: 'scheduled_messages_kept',
      columns: ['organization_id', 'data_bytes'],
      where: 'ended_at is null',
    },
    { name: 'scheduled_messages_ended_at', columns: ['ended_at'], where: 'ended_at is not null' },
  ],
});

/** A row of {@link scheduledMessages}. */
export type ScheduledMessageRow = RowOf<typeof scheduledMessages>;

/** A due time of a scheduled message, with one message at most. */
export const scheduledRuns = table('scheduled_runs', {
  columns: {
    ...tenant,
    scheduled_message_id: uuid(),
    due_at: timestamp(),
    /** Derived from the schedule and the time, so that every replica and try gets the same. */
    operation_id: uuid(),
    status: text<ScheduledRunStatus>(),
    message_id: nullable(uuid()),
    error: nullable(text<ErrorCode>()),
    error_details: nullable(text()),
    /** Times that it was posted again because its outcome was unknown. */
    reposts: withDefault(integer(), 0),
    /** Who asked for it outside of the schedule; null for a run of the schedule. */
    requested_by: nullable(text()),
    /** The operation by which they did. */
    requested_operation_id: nullable(uuid()),
    started_at: timestamp(),
    ended_at: nullable(timestamp()),
  },
  primaryKey: { name: 'scheduled_runs_pk', columns: ofTenant('scheduled_message_id', 'due_at') },
  checks: [
    check('scheduled_runs_environment', "environment in ('production', 'preview')"),
    check('scheduled_runs_status', "status in ('pending', 'sent', 'failed', 'unknown', 'skipped')"),
    check('scheduled_runs_ended', "(ended_at is null) = (status = 'pending')"),
  ],
  uniques: [{ name: 'scheduled_runs_once', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'scheduled_runs_ended_at', columns: ['ended_at'], where: 'ended_at is not null' },
    {
      name: 'scheduled_runs_requested',
      columns: ofTenant('requested_operation_id'),
      where: 'requested_operation_id is not null',
    },
  ],
});

/** A row of {@link scheduledRuns}. */
export type ScheduledRunRow = RowOf<typeof scheduledRuns>;
