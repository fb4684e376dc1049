import type { Environment, ErrorCode, ErrorFacts, Message } from '@stanza/contracts';
import { runtimeEntities } from '@stanza/runtime';
import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { Attempt } from '../domain/chat-outcome.ts';

/** The chat workspace of an environment. */
export interface ConnectionRow {
  organization_id: string;
  environment: Environment;
  /** A connection that is put anew is a new one: the token's ciphertext is bound to this id. */
  id: string;
  workspace_id: string;
  workspace_name: string;
  bot_user_id: string;
  token_ciphertext: Buffer;
  token_key_id: string;
  created_at: Date;
  updated_at: Date;
}

/** A message, from before its post to its outcome. */
export interface MessageRow {
  organization_id: string;
  environment: Environment;
  id: string;
  /** With `item`, what makes it happen once: the number of the message within the operation, from 0. */
  operation_id: string;
  item: number;
  template_id: string;
  version_id: string;
  version_number: number;
  channel_id: string | null;
  recipient_email: string | null;
  recipient_chat_id: string | null;
  thread_ts: string | null;
  workspace_id: string;
  status: Message['status'];
  /** The conversation posted to; the channel's own id, or that of the direct conversation. */
  channel: string | null;
  message_ts: string | null;
  error: ErrorCode | null;
  /** The public parts of the error, to be answered again. */
  error_facts: ErrorFacts | null;
  /** Chosen before the post; a charge has it only when `charged`. */
  credit_log_id: string;
  /** Null while the reservation is open. Once false, it stays so. */
  charged: boolean | null;
  remaining_credits: number;
  warnings: string[];
  fields_truncated: number;
  attempts: Attempt[];
  request_id: string;
  actor_id: string;
  /** Until then its sender is at work. */
  deadline_at: Date;
  /** When its post could begin, at the earliest. */
  posting_at: Date | null;
  /** How often it was looked up after its request had ended. */
  lookups: number;
  /** When an unknown message is looked up next; null when it is not. */
  lookup_due_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

/** When the next message may be posted to a channel. */
export interface ChannelSlotRow {
  workspace_id: string;
  channel: string;
  next_free_at: Date;
}

/** An operation that was reported to have accepted nothing, and therefore never may. */
export interface WithdrawnOperationRow {
  organization_id: string;
  environment: Environment;
  operation_id: string;
  withdrawn_at: Date;
}

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

/** See {@link ConnectionRow}. */
export const connectionEntity = new EntitySchema<ConnectionRow>({
  name: 'chat_connections',
  columns: {
    ...tenantKey('chat_connections_pk'),
    id: uuid,
    workspace_id: text,
    workspace_name: text,
    bot_user_id: text,
    token_ciphertext: { type: 'bytea' },
    token_key_id: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
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
    deadline_at: timestamp,
    posting_at: { ...timestamp, ...nullable },
    lookups: { ...integer, default: 0 },
    lookup_due_at: { ...timestamp, ...nullable },
    created_at: timestamp,
    updated_at: timestamp,
  },
  uniques: [{ name: 'messages_once', columns: ofTenant('operation_id', 'item') }],
  indices: [
    { name: 'messages_template', columns: ofTenant('template_id', 'id') },
    { name: 'messages_by_status', columns: ofTenant('status', 'id') },
    { name: 'messages_credit_log', columns: ofTenant('credit_log_id') },
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

/** All entities of the service. */
export const entities = [
  connectionEntity,
  messageEntity,
  channelSlotEntity,
  withdrawnOperationEntity,
  ...runtimeEntities,
] as const;
