import type { Batch, listTemplateQueues, Queue, ReplyOf } from '@stanza/contracts';
import type { Keyed } from '@stanza/runtime';
import type { BatchRow, QueueRow } from './tables.ts';

/** A queue as the API shows it. */
export const presentQueue = (row: Keyed<QueueRow>): Queue => ({
  id: row.id,
  organization_id: row.organization_id,
  key: row.key,
  name: row.name,
  description: row.description,
  mode: row.mode,
  window_seconds: row.window_seconds,
  max_window_seconds: row.max_window_seconds,
  threshold: row.threshold,
  max_wait_seconds: row.max_wait_seconds,
  template_id: row.template_id,
  channel_id: row.channel_id,
  recipient_email: row.recipient_email,
  recipient_chat_id: row.recipient_chat_id,
  destination_id: row.destination_id,
  on_unknown: row.on_unknown,
  live: row.live,
  live_interval_seconds: row.live_interval_seconds,
  is_active: row.is_active,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A batch as the API shows it. */
export const presentBatch = (row: BatchRow): Batch => ({
  id: row.id,
  queue_id: row.queue_id,
  status: row.status,
  close_reason: row.close_reason,
  event_count: row.event_count,
  opened_at: row.opened_at.toISOString(),
  window_end: row.window_end.toISOString(),
  closed_at: time(row.closed_at),
  ended_at: time(row.ended_at),
  attempt: row.attempt,
  error: row.error,
  error_details: row.error_details,
  left_out: row.left_out,
  message_id: row.message_id,
  delivery_id: row.delivery_id,
  credit_log_id: row.credit_log_id,
});

/** Queues and batches as references, for a service that wants to delete their target. */
export const presentReferences = (
  queues: readonly Pick<QueueRow, 'id' | 'name' | 'is_active'>[],
  batches: readonly (Pick<BatchRow, 'id' | 'status' | 'queue_id'> & { queue_name: string })[],
): ReplyOf<typeof listTemplateQueues> => ({
  queues: queues.map(({ id, name, is_active }) => ({ id, name, is_active })),
  batches: batches.map(({ id, status, queue_id, queue_name }) => ({
    id,
    status,
    queue: { id: queue_id, name: queue_name },
  })),
});
