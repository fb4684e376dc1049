import type { BatchStatus, CloseReason, Environment, ErrorCode, QueueMode } from '@stanza/contracts';

/** What a queue does with its events; a batch keeps the policy with which it began. */
export interface Policy {
  name: string;
  mode: QueueMode;
  window_seconds: number | null;
  max_window_seconds: number | null;
  threshold: number | null;
  max_wait_seconds: number | null;
  template_id: string | null;
  channel_id: string | null;
  recipient_email: string | null;
  recipient_chat_id: string | null;
  destination_id: string | null;
}

/** A queue policy. */
export interface QueueRow extends Policy {
  organization_id: string;
  environment: Environment;
  id: string;
  operation_id: string;
  description: string | null;
  is_active: boolean;
  created_by: string;
  created_at: Date;
  updated_at: Date;
  /** A deleted queue is nowhere to be seen; its batches stay as long as others. */
  deleted_at: Date | null;
}

/** A batch of events. */
export interface BatchRow {
  organization_id: string;
  environment: Environment;
  id: string;
  queue_id: string;
  status: BatchStatus;
  close_reason: CloseReason | null;
  policy: Policy;
  event_count: number;
  byte_count: number;
  opened_at: Date;
  /** When it is closed if nothing more arrives. */
  window_end: Date;
  /** When it is closed whatever arrives. */
  latest_end: Date;
  closed_at: Date | null;
  /** The moment whose live version makes the digest: the closing, or the retry. */
  live_at: Date | null;
  ended_at: Date | null;
  /** Deliveries begun, from 1; 0 while it collects. */
  attempt: number;
  /** Names the delivery for the other services; each retry has its own. */
  operation_id: string | null;
  error: ErrorCode | null;
  error_details: string | null;
  message_id: string | null;
  delivery_id: string | null;
  credit_log_id: string | null;
  /** Of the push that began it, where it was traced. */
  traceparent: string | null;
}
