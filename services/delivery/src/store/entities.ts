import { runtimeEntities } from '@stanza/runtime';
import {
  check,
  integer,
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
import { chatInstallEntity, connectionEntity } from '../connections/store/connection-entities.ts';
import {
  deliveryAttemptEntity,
  deliveryEntity,
  destinationEntity,
} from '../destinations/store/destination-entities.ts';
import { interactionEntities } from '../interactions/store/interaction-entities.ts';
import { scheduledMessageEntity, scheduledRunEntity } from '../schedules/store/schedule-entities.ts';
import type {
  ChannelSlotRow,
  DeferredSendRow,
  MessageRow,
  MethodSlotRow,
  WithdrawnOperationRow,
} from './rows.ts';

/** See {@link MessageRow}. */
export const messageEntity = new EntitySchema<MessageRow>({
  name: 'messages',
  columns: {
    ...tenantKey('messages_pk'),
    id: key(uuid, 'messages_pk'),
    operation_id: uuid,
    item: integer,
    origin: { ...text, default: 'send' },
    origin_id: { ...uuid, ...nullable },
    template_id: uuid,
    version_id: uuid,
    version_number: integer,
    channel_id: { ...text, ...nullable },
    recipient_email: { ...text, ...nullable },
    recipient_chat_id: { ...text, ...nullable },
    thread_ts: { ...text, ...nullable },
    workspace_id: text,
    status: text,
    channel: { ...text, ...nullable },
    message_ts: { ...text, ...nullable },
    error: { ...text, ...nullable },
    error_facts: { ...json, ...nullable },
    credit_log_id: uuid,
    charged: { type: 'boolean', ...nullable },
    remaining_credits: { type: 'bigint' },
    warnings: json,
    fields_truncated: integer,
    attempts: json,
    request_id: text,
    actor_id: text,
    key_digest: { ...text, ...nullable },
    deadline_at: timestamp,
    fence: { ...integer, default: 0 },
    posting_fence: { ...integer, ...nullable },
    posting_at: { ...timestamp, ...nullable },
    lookups: { ...integer, default: 0 },
    lookup_due_at: { ...timestamp, ...nullable },
    created_at: timestamp,
    updated_at: timestamp,
  },
  checks: [
    check('messages_environment', "environment in ('production', 'preview')"),
    check('messages_item', 'item >= 0'),
    check('messages_status', "status in ('accepted', 'posting', 'sent', 'failed', 'unknown')"),
    check('messages_recipient', 'num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1'),
    check('messages_settled', "(charged is null) = (status in ('accepted', 'posting'))"),
    check('messages_origin', "origin in ('send', 'bulk', 'batch', 'schedule')"),
    check('messages_charged', "status = 'sent' or charged is not true"),
  ],
  uniques: [{ name: 'messages_once', columns: ofTenant('operation_id', 'item') }],
  indices: [
    { name: 'messages_template', columns: ofTenant('template_id', 'id') },
    { name: 'messages_by_status', columns: ofTenant('status', 'id') },
    { name: 'messages_credit_log', columns: ofTenant('credit_log_id') },
    { name: 'messages_id', columns: ['id'] },
    {
      name: 'messages_key_digest',
      columns: ofTenant('key_digest', 'id'),
      where: 'key_digest is not null',
    },
    { name: 'messages_open', columns: ['deadline_at'], where: "status in ('accepted', 'posting')" },
    { name: 'messages_lookup_due', columns: ['lookup_due_at'], where: 'lookup_due_at is not null' },
  ],
});

/** See {@link ChannelSlotRow}. */
export const channelSlotEntity = new EntitySchema<ChannelSlotRow>({
  name: 'channel_slots',
  columns: {
    workspace_id: key(text, 'channel_slots_pk'),
    channel: key(text, 'channel_slots_pk'),
    next_free_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'channel_slots_next_free_at', columns: ['next_free_at'] }],
});

/** See {@link MethodSlotRow}. */
export const methodSlotEntity = new EntitySchema<MethodSlotRow>({
  name: 'method_slots',
  columns: {
    workspace_id: key(text, 'method_slots_pk'),
    method: key(text, 'method_slots_pk'),
    next_free_at: { type: 'timestamptz' },
  },
  indices: [{ name: 'method_slots_next_free_at', columns: ['next_free_at'] }],
});

/** See {@link WithdrawnOperationRow}. */
export const withdrawnOperationEntity = new EntitySchema<WithdrawnOperationRow>({
  name: 'withdrawn_operations',
  columns: {
    ...tenantKey('withdrawn_operations_pk'),
    operation_id: key(uuid, 'withdrawn_operations_pk'),
    withdrawn_at: timestamp,
  },
  indices: [{ name: 'withdrawn_operations_withdrawn_at', columns: ['withdrawn_at'] }],
});

/** See {@link DeferredSendRow}. */
export const deferredSendEntity = new EntitySchema<DeferredSendRow>({
  name: 'deferred_sends',
  columns: {
    ...tenantKey('deferred_sends_pk'),
    operation_id: key(uuid, 'deferred_sends_pk'),
    origin: text,
    origin_id: uuid,
    status: text,
    due_at: timestamp,
    give_up_at: timestamp,
    tries: { ...integer, default: 0 },
    error: { ...text, ...nullable },
    created_at: timestamp,
    ended_at: { ...timestamp, ...nullable },
    traceparent: { ...text, ...nullable },
  },
  checks: [
    check('deferred_sends_environment', "environment in ('production', 'preview')"),
    check('deferred_sends_origin', "origin in ('batch', 'schedule')"),
    check('deferred_sends_status', "status in ('waiting', 'ended')"),
    check('deferred_sends_ended', "(ended_at is null) = (status = 'waiting')"),
  ],
  indices: [
    { name: 'deferred_sends_turns', columns: ['organization_id', 'due_at'], where: "status = 'waiting'" },
    { name: 'deferred_sends_ended_at', columns: ['ended_at'], where: "status = 'ended'" },
  ],
});

/** All entities of the service. */
export const entities = [
  connectionEntity,
  chatInstallEntity,
  messageEntity,
  channelSlotEntity,
  methodSlotEntity,
  withdrawnOperationEntity,
  deferredSendEntity,
  destinationEntity,
  deliveryEntity,
  deliveryAttemptEntity,
  scheduledMessageEntity,
  scheduledRunEntity,
  ...interactionEntities,
  ...runtimeEntities,
] as const;
