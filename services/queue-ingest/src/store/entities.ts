import { runtimeEntities } from '@stanza/runtime';
import {
  boolean,
  integer,
  json,
  nullable,
  ofTenant,
  tenant,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { BatchRow, QueueRow } from '../domain/rows.ts';

/** See {@link QueueRow}. */
export const queueEntity = new EntitySchema<QueueRow>({
  name: 'queues',
  columns: {
    ...tenant,
    operation_id: uuid,
    name: text,
    description: { ...text, ...nullable },
    mode: text,
    window_seconds: { ...integer, ...nullable },
    max_window_seconds: { ...integer, ...nullable },
    threshold: { ...integer, ...nullable },
    max_wait_seconds: { ...integer, ...nullable },
    template_id: { ...uuid, ...nullable },
    channel_id: { ...text, ...nullable },
    recipient_email: { ...text, ...nullable },
    recipient_chat_id: { ...text, ...nullable },
    destination_id: { ...uuid, ...nullable },
    is_active: boolean,
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
    deleted_at: { ...timestamp, ...nullable },
  },
  uniques: [{ name: 'queues_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'queues_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'queues_template', columns: ofTenant('template_id'), where: 'deleted_at is null' },
    { name: 'queues_destination', columns: ofTenant('destination_id'), where: 'deleted_at is null' },
  ],
  checks: [
    { name: 'queues_environment', expression: "environment in ('production', 'preview')" },
    { name: 'queues_mode', expression: "mode in ('rolling_window', 'fixed_volume')" },
    {
      name: 'queues_target',
      expression: 'num_nonnulls(channel_id, recipient_email, recipient_chat_id, destination_id) = 1',
    },
  ],
});

/** See {@link BatchRow}. */
export const batchEntity = new EntitySchema<BatchRow>({
  name: 'batches',
  columns: {
    ...tenant,
    queue_id: uuid,
    status: text,
    close_reason: { ...text, ...nullable },
    policy: json,
    event_count: integer,
    byte_count: integer,
    opened_at: timestamp,
    window_end: timestamp,
    latest_end: timestamp,
    closed_at: { ...timestamp, ...nullable },
    live_at: { ...timestamp, ...nullable },
    ended_at: { ...timestamp, ...nullable },
    attempt: { ...integer, default: 0 },
    operation_id: { ...uuid, ...nullable },
    error: { ...text, ...nullable },
    error_details: { ...text, ...nullable },
    message_id: { ...uuid, ...nullable },
    delivery_id: { ...uuid, ...nullable },
    credit_log_id: { ...uuid, ...nullable },
    traceparent: { ...text, ...nullable },
  },
  indices: [
    {
      name: 'batches_collecting',
      columns: ofTenant('queue_id'),
      unique: true,
      where: "status = 'collecting'",
    },
    { name: 'batches_due', columns: ['window_end'], where: "status = 'collecting'" },
    { name: 'batches_opened_at', columns: ofTenant('queue_id', 'opened_at', 'id') },
    { name: 'batches_delivered', columns: ['ended_at'], where: "status = 'delivered'" },
    {
      name: 'batches_unfinished',
      columns: ['status', 'closed_at'],
      where: "status not in ('collecting', 'delivered')",
    },
    // Of a field of the policy, which TypeORM cannot say.
    { name: 'batches_template', columns: ['policy'], synchronize: false },
    { name: 'batches_destination', columns: ['policy'], synchronize: false },
  ],
  checks: [
    {
      name: 'batches_status',
      expression: "status in ('collecting', 'ready', 'delivering', 'delivered', 'failed', 'unknown')",
    },
    { name: 'batches_closed', expression: "(status = 'collecting') = (closed_at is null)" },
  ],
  foreignKeys: [
    {
      name: 'batches_queue',
      target: 'queues',
      columnNames: ofTenant('queue_id'),
      referencedColumnNames: ofTenant('id'),
    },
  ],
});

/** All entities of the service; events, their keys, counters and pushes are reached by statements alone. */
export const entities = [queueEntity, batchEntity, ...runtimeEntities] as const;
