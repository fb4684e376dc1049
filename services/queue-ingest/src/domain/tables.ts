import type {
  BatchStatus,
  CloseReason,
  ErrorCode,
  LeftOut,
  QueueMode,
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
  referenceTo,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

/** A queue policy. */
export const queues = table('queues', {
  columns: {
    ...tenant,
    id: uuid(),
    operation_id: uuid(),
    name: text(),
    description: nullable(text()),
    mode: text<QueueMode>(),
    window_seconds: nullable(integer()),
    max_window_seconds: nullable(integer()),
    threshold: nullable(integer()),
    max_wait_seconds: nullable(integer()),
    template_id: nullable(uuid()),
    channel_id: nullable(text()),
    recipient_email: nullable(text()),
    recipient_chat_id: nullable(text()),
    destination_id: nullable(uuid()),
    on_unknown: withDefault(text<UnknownPolicy>(), 'hold'),
    /** The message of a batch is posted with its first event, and updated. */
    live: withDefault(boolean(), false),
    live_interval_seconds: nullable(integer()),
    is_active: boolean(),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
    /** Deleted queues are hidden, and deleted with what they have left undelivered once its retention is over. */
    deleted_at: nullable(timestamp()),
  },
  primaryKey: { columns: ofTenant('id') },
  uniques: [{ name: 'queues_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'queues_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'queues_template', columns: ofTenant('template_id'), where: 'deleted_at is null' },
    { name: 'queues_destination', columns: ofTenant('destination_id'), where: 'deleted_at is null' },
  ],
  checks: [
    check('queues_environment', "environment in ('production', 'preview')"),
    check('queues_mode', "mode in ('rolling_window', 'fixed_volume')"),
    check(
      'queues_target',
      'num_nonnulls(channel_id, recipient_email, recipient_chat_id, destination_id) = 1',
    ),
  ],
});

/** A row of {@link queues}. */
export type QueueRow = RowOf<typeof queues>;

/** A queue's settings for its events; a batch keeps the policy with which it began. */
export type Policy = Pick<
  QueueRow,
  | 'name'
  | 'mode'
  | 'window_seconds'
  | 'max_window_seconds'
  | 'threshold'
  | 'max_wait_seconds'
  | 'template_id'
  | 'channel_id'
  | 'recipient_email'
  | 'recipient_chat_id'
  | 'destination_id'
> & {
  /** Absent from batches of the previous version, which are held. */
  on_unknown?: UnknownPolicy;
  /** Absent from batches of the previous version, which are shown once they are closed. */
  live?: QueueRow['live'];
  live_interval_seconds?: QueueRow['live_interval_seconds'];
};

/** SQL of the condition that a live batch has events which are still to be shown. Processes of 0.1.0 close it regardless. */
export const isToBeShown = "live_due_at is not null and live_operation_id is null and status = 'collecting'";

/** A batch of events. */
export const batches = table('batches', {
  columns: {
    ...tenant,
    id: uuid(),
    queue_id: uuid(),
    status: text<BatchStatus>(),
    close_reason: nullable(text<CloseReason>()),
    policy: json<Policy>(),
    event_count: integer(),
    byte_count: integer(),
    opened_at: timestamp(),
    /** When it closes without further events. */
    window_end: timestamp(),
    /** When it closes at the latest. */
    latest_end: timestamp(),
    closed_at: nullable(timestamp()),
    /** The moment that selects the digest's live version: the closing, or the retry. */
    live_at: nullable(timestamp()),
    ended_at: nullable(timestamp()),
    /** Deliveries begun, from 1; 0 while it collects. */
    attempt: withDefault(integer(), 0),
    /** Deliveries since the last one that a person began, because the outcome before was unknown. */
    reposts: withDefault(integer(), 0),
    /** Identifies the delivery for other services; each retry has its own. */
    operation_id: nullable(uuid()),
    error: nullable(text<ErrorCode>()),
    error_details: nullable(text()),
    message_id: nullable(uuid()),
    delivery_id: nullable(uuid()),
    credit_log_id: nullable(uuid()),
    /** What the digest of its delivery leaves out. */
    left_out: nullable(json<LeftOut>()),
    /** Of the push that began it, if it was traced. */
    traceparent: nullable(text()),
    /** Of a live batch: when its new events are shown; null where all are. */
    live_due_at: nullable(timestamp()),
    /** The post or update in flight that shows it; the next one waits for its outcome. */
    live_operation_id: nullable(uuid()),
    /** When it was shown last. */
    live_shown_at: nullable(timestamp()),
  },
  primaryKey: { columns: ofTenant('id') },
  indices: [
    {
      name: 'batches_collecting',
      columns: ofTenant('queue_id'),
      unique: true,
      where: "status = 'collecting'",
    },
    { name: 'batches_due', columns: ['window_end'], where: "status = 'collecting'" },
    // Of the same batches, in words that no look for the open batch of a queue has: as long as Postgres knows of few open
    // batches it would read all of an organization's for it.
    { name: 'batches_turns', columns: ['organization_id', 'window_end'], where: 'closed_at is null' },
    { name: 'batches_live_due', columns: ['live_due_at'], where: isToBeShown },
    { name: 'batches_live_turns', columns: ['organization_id', 'live_due_at'], where: isToBeShown },
    { name: 'batches_opened_at', columns: ofTenant('queue_id', 'opened_at', 'id') },
    { name: 'batches_delivered', columns: ['ended_at'], where: "status = 'delivered'" },
    {
      name: 'batches_unfinished',
      columns: ['status', 'closed_at'],
      where: "status not in ('collecting', 'delivered')",
    },
    // Of a field of the policy, which TypeORM cannot express.
    { name: 'batches_template', columns: ['policy'], synchronize: false },
    { name: 'batches_destination', columns: ['policy'], synchronize: false },
  ],
  checks: [
    check(
      'batches_status',
      "status in ('collecting', 'ready', 'delivering', 'delivered', 'failed', 'unknown')",
    ),
    check('batches_closed', "(status = 'collecting') = (closed_at is null)"),
  ],
  foreignKeys: [referenceTo('queues', 'batches_queue', 'queue_id')],
});

/** A row of {@link batches}. */
export type BatchRow = RowOf<typeof batches>;
