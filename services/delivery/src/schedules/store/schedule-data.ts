import { impactReads } from '@stanza/runtime';

/** What a scheduled message will be compiled with. */
export interface ScheduleData {
  id: string;
  cron: string | null;
  send_at: Date | null;
  created_by: string;
  data: Record<string, unknown>;
  strict: boolean | null;
  locale: string | null;
  timezone: string | null;
  /** Null for a paused one. */
  next_run_at: Date | null;
}

const reads = impactReads<ScheduleData>('schedule-data', {
  from: `scheduled_messages
       where organization_id = $1 and environment = $2 and template_id = $3 and ended_at is null`,
  columns: 'id, cron, send_at, created_by, data, strict, locale, timezone, next_run_at',
  newest: 'id desc',
  bytes: 'octet_length(data::text)',
});

/** The data of the newest scheduled messages of a template that have not ended, within the bounds of an impact. */
export const scheduleDataOf = reads.newest;

/** How many scheduled messages of a template have not ended. */
export const countSchedulesOf = reads.count;
