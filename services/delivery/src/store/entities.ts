import { runtimeEntities } from '@stanza/runtime';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type {
  ChannelSlotRow,
  ChatInstallRow,
  ConnectionRow,
  DeferredSendRow,
  MessageRow,
  MethodSlotRow,
  ScheduledMessageRow,
  ScheduledRunRow,
  WithdrawnOperationRow,
} from '../domain/rows.ts';
import { deliveryAttemptEntity, deliveryEntity, destinationEntity } from './destination-entities.ts';
import { interactionEntities } from './interaction-entities.ts';

const uuid = { type: 'uuid' } as const satisfies EntitySchemaColumnOptions;
const text = { type: 'text' } as const satisfies EntitySchemaColumnOptions;
const integer = { type: 'integer' } as const satisfies EntitySchemaColumnOptions;
const json = { type: 'json' } as const satisfies EntitySchemaColumnOptions;
const timestamp = { type: 'timestamptz', precision: 3 } as const satisfies EntitySchemaColumnOptions;
const nullable = { nullable: true } as const;

const key = <T extends EntitySchemaColumnOptions>(column: T, primaryKeyConstraintName: string) => ({
  ...column,
  primary: true,
  primaryKeyConstraintName,
});

const tenantKey = (name: string) => ({
  organization_id: key(uuid, name),
  environment: key(text, name),
});

/** The text of a check is the migration's; the ORM compares names. */
const check = (name: string, expression: string) => ({ name, expression });

/** See {@link ConnectionRow}. */
export const connectionEntity = new EntitySchema<ConnectionRow>({
  name: 'chat_connections',
  columns: {
    ...tenantKey('chat_connections_pk'),
    id: uuid,
    workspace_id: text,
    workspace_name: text,
    bot_user_id: text,
    source: { ...text, default: 'token' },
    token_ciphertext: { type: 'bytea' },
    token_key_id: text,
    scopes: { ...json, ...nullable },
    last_checked_at: { ...timestamp, default: () => 'now()' },
    revoked_at: { ...timestamp, ...nullable },
    refusal: { ...text, ...nullable },
    created_at: timestamp,
    updated_at: timestamp,
  },
  checks: [
    check('chat_connections_environment', "environment in ('production', 'preview')"),
    check('chat_connections_source', "source in ('token', 'install')"),
    check('chat_connections_revoked', '(revoked_at is null) = (refusal is null)'),
  ],
  indices: [
    { name: 'chat_connections_workspace', columns: ['workspace_id'] },
    { name: 'chat_connections_key', columns: ['token_key_id'] },
  ],
});

/** See {@link ChatInstallRow}. */
export const chatInstallEntity = new EntitySchema<ChatInstallRow>({
  name: 'chat_installs',
  columns: {
    ...tenantKey('chat_installs_pk'),
    id: key(uuid, 'chat_installs_pk'),
    actor: json,
    state_hash: { type: 'bytea' },
    status: { ...text, default: 'begun' },
    confirm_hash: { type: 'bytea', ...nullable },
    workspace_id: { ...text, ...nullable },
    workspace_name: { ...text, ...nullable },
    bot_user_id: { ...text, ...nullable },
    scopes: { ...json, ...nullable },
    token_ciphertext: { type: 'bytea', ...nullable },
    token_key_id: { ...text, ...nullable },
    created_at: timestamp,
    expires_at: timestamp,
  },
  checks: [
    check('chat_installs_environment', "environment in ('production', 'preview')"),
    check('chat_installs_status', "status in ('begun', 'spent', 'waiting', 'connected')"),
    check('chat_installs_page', "(confirm_hash is null) = (status in ('begun', 'spent'))"),
    check('chat_installs_token', "(token_ciphertext is null) = (status <> 'waiting')"),
  ],
  uniques: [
    { name: 'chat_installs_state', columns: ['state_hash'] },
    { name: 'chat_installs_confirm', columns: ['confirm_hash'] },
  ],
  indices: [{ name: 'chat_installs_expires_at', columns: ['expires_at'] }],
});

const ofTenant = (...columns: string[]): string[] => ['organization_id', 'environment', ...columns];

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
    catch_up: { type: 'boolean' },
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
