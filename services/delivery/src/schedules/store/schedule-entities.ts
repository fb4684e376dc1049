import {
  boolean,
  check,
  json,
  key,
  nullable,
  ofTenant,
  tenantKey,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { ScheduledMessageRow, ScheduledRunRow } from '../../store/rows.ts';

/** See {@link ScheduledMessageRow}. */
export const scheduledMessageEntity = new EntitySchema<ScheduledMessageRow>({
  name: 'scheduled_messages',
  columns: {
    ...tenantKey('scheduled_messages_pk'),
    id: key(uuid, 'scheduled_messages_pk'),
    operation_id: uuid,
    status: text,
    template_id: uuid,
    data: json,
    strict: { type: 'boolean', ...nullable },
    locale: { ...text, ...nullable },
    timezone: { ...text, ...nullable },
    channel_id: { ...text, ...nullable },
    recipient_email: { ...text, ...nullable },
    recipient_chat_id: { ...text, ...nullable },
    thread_ts: { ...text, ...nullable },
    send_at: { ...timestamp, ...nullable },
    cron: { ...text, ...nullable },
    catch_up: boolean,
    next_run_at: { ...timestamp, ...nullable },
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
    ended_at: { ...timestamp, ...nullable },
  },
  checks: [
    check('scheduled_messages_environment', "environment in ('production', 'preview')"),
    check('scheduled_messages_status', "status in ('active', 'completed', 'cancelled')"),
    check('scheduled_messages_recipient', 'num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1'),
    check('scheduled_messages_timing', 'num_nonnulls(send_at, cron) = 1'),
    check('scheduled_messages_next', "(next_run_at is not null) = (status = 'active')"),
    check('scheduled_messages_ended', "(ended_at is null) = (status = 'active')"),
  ],
  uniques: [{ name: 'scheduled_messages_once', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'scheduled_messages_template', columns: ofTenant('template_id', 'id') },
    { name: 'scheduled_messages_by_status', columns: ofTenant('status', 'id') },
    { name: 'scheduled_messages_due', columns: ['next_run_at'], where: "status = 'active'" },
    { name: 'scheduled_messages_ended_at', columns: ['ended_at'], where: 'ended_at is not null' },
  ],
});

/** See {@link ScheduledRunRow}. */
export const scheduledRunEntity = new EntitySchema<ScheduledRunRow>({
  name: 'scheduled_runs',
  columns: {
    ...tenantKey('scheduled_runs_pk'),
    scheduled_message_id: key(uuid, 'scheduled_runs_pk'),
    due_at: key(timestamp, 'scheduled_runs_pk'),
    operation_id: uuid,
    status: text,
    message_id: { ...uuid, ...nullable },
    error: { ...text, ...nullable },
    error_details: { ...text, ...nullable },
    started_at: timestamp,
    ended_at: { ...timestamp, ...nullable },
  },
  checks: [
    check('scheduled_runs_environment', "environment in ('production', 'preview')"),
    check('scheduled_runs_status', "status in ('pending', 'sent', 'failed', 'unknown', 'skipped')"),
    check('scheduled_runs_ended', "(ended_at is null) = (status = 'pending')"),
  ],
  uniques: [{ name: 'scheduled_runs_once', columns: ofTenant('operation_id') }],
  indices: [{ name: 'scheduled_runs_ended_at', columns: ['ended_at'], where: 'ended_at is not null' }],
});
