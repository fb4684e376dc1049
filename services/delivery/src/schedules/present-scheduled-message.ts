import type { ScheduledMessage, ScheduledMessageDetails, ScheduledRun } from '@stanza/contracts';
import type { ScheduledMessageRow, ScheduledRunRow } from './schedule-tables.ts';
import { nextRuns } from './schedule-timing.ts';

/** Number of future runs shown. */
const shownNext = 5;

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A run as the API shows it. */
export const presentRun = (row: ScheduledRunRow): ScheduledRun => ({
  due_at: row.due_at.toISOString(),
  status: row.status,
  message_id: row.message_id,
  error: row.error,
  error_details: row.error_details,
  reposts: row.reposts,
  requested_by: row.requested_by,
  started_at: row.started_at.toISOString(),
  ended_at: time(row.ended_at),
});

/** A scheduled message as lists show it. */
export const presentScheduledMessage = (
  row: ScheduledMessageRow,
  lastRun: ScheduledRunRow | undefined,
): ScheduledMessage => ({
  id: row.id,
  status: row.status,
  template_id: row.template_id,
  channel_id: row.channel_id,
  recipient_email: row.recipient_email,
  recipient_chat_id: row.recipient_chat_id,
  thread_ts: row.thread_ts,
  send_at: time(row.send_at),
  cron: row.cron,
  timezone: row.timezone,
  catch_up: row.catch_up,
  on_unknown: row.on_unknown,
  next_run_at: time(row.next_run_at),
  last_run: lastRun ? presentRun(lastRun) : null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  ended_at: time(row.ended_at),
});

/** A scheduled message with its content, its future runs, and its latest ones, newest first. */
export const presentDetails = (
  row: ScheduledMessageRow,
  runs: readonly ScheduledRunRow[],
): ScheduledMessageDetails => {
  const { next_run_at: next } = row;
  const after = next && nextRuns(row, next, shownNext - 1);
  return {
    ...presentScheduledMessage(row, runs[0]),
    data: row.data,
    strict: row.strict,
    locale: row.locale,
    ...row.options,
    next_runs: [...(next ? [next] : []), ...(after ?? [])].map((it) => it.toISOString()),
    runs: runs.map(presentRun),
  };
};
