import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { onUnknown } from './on-unknown.ts';
import { messageOptions, postOptions } from './send-options.ts';
import { freeObject, id, timestamp } from './values.ts';

/** States of a scheduled message: it has runs to come, is paused, has had its last run, or was cancelled. */
export const scheduleStatuses = ['active', 'paused', 'completed', 'cancelled'] as const;

/** See {@link scheduleStatuses}. */
export type ScheduleStatus = (typeof scheduleStatuses)[number];

/** States of a run: on its way, one of the three outcomes of a message, or never begun because its time had passed. */
export const scheduledRunStatuses = ['pending', 'sent', 'failed', 'unknown', 'skipped'] as const;

/** See {@link scheduledRunStatuses}. */
export type ScheduledRunStatus = (typeof scheduledRunStatuses)[number];

/** One due time of a scheduled message, and its outcome. */
export const scheduledRun = z
  .object({
    due_at: timestamp,
    status: z
      .enum(scheduledRunStatuses)
      .describe('a `skipped` run stands for every one that was missed from its time to that of the next run'),
    message_id: id.nullable().describe('of the message log; null while pending and where none was accepted'),
    error: errorCodeSchema.nullable().describe('why it failed'),
    error_details: z.string().nullable(),
    reposts: z.int().describe('times that it was posted again because its outcome was unknown'),
    requested_by: z
      .string()
      .nullable()
      .describe('who asked for it by run-now; null for a run at a time of the schedule'),
    started_at: timestamp,
    ended_at: timestamp.nullable().describe('when its outcome became known'),
  })
  .meta({ id: 'ScheduledRun' });

/** See {@link scheduledRun}. */
export type ScheduledRun = z.output<typeof scheduledRun>;

/** A scheduled message as lists show it. */
export const scheduledMessage = z
  .object({
    id,
    status: z.enum(scheduleStatuses),
    template_id: id,
    channel_id: z.string().nullable(),
    recipient_email: z.string().nullable(),
    recipient_chat_id: z.string().nullable(),
    thread_ts: z.string().nullable(),
    send_at: timestamp.nullable().describe('of one that is sent once'),
    cron: z.string().nullable().describe('of one that is sent again and again'),
    timezone: z.string().nullable(),
    catch_up: z.boolean(),
    on_unknown: onUnknown,
    next_run_at: timestamp.nullable().describe('null when no run is to come, as while it is paused'),
    last_run: scheduledRun.nullable().describe('the latest one, also while it is on its way'),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    ended_at: timestamp.nullable().describe('when its last run began, or when it was cancelled'),
  })
  .meta({ id: 'ScheduledMessage' });

/** See {@link scheduledMessage}. */
export type ScheduledMessage = z.output<typeof scheduledMessage>;

/** A scheduled message with its content and its runs. */
export const scheduledMessageDetails = scheduledMessage
  .extend({
    data: freeObject,
    strict: z.boolean().nullable(),
    locale: z.string().nullable().describe('BCP 47, or `recipient`'),
    reply_to: messageOptions.reply_to,
    visible_to: messageOptions.visible_to,
    message_key: messageOptions.message_key,
    on_existing: messageOptions.on_existing,
    ...postOptions,
    next_runs: z.array(timestamp).describe('the next five at most'),
    runs: z.array(scheduledRun).describe('the latest twenty at most, newest first'),
  })
  .meta({ id: 'ScheduledMessageDetails' });

/** See {@link scheduledMessageDetails}. */
export type ScheduledMessageDetails = z.output<typeof scheduledMessageDetails>;
