import {
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
import type { InteractionActionRow, InteractionRow, MessageContentRow } from '../interaction-rows.ts';

const environments = "environment in ('production', 'preview')";

/** See {@link InteractionRow}. */
export const interactionEntity = new EntitySchema<InteractionRow>({
  name: 'interactions',
  columns: {
    ...tenantKey('interactions_pk'),
    id: key(uuid, 'interactions_pk'),
    dedupe_key: text,
    kind: text,
    workspace_id: text,
    user_id: text,
    user_name: { ...text, ...nullable },
    message_id: uuid,
    template_id: uuid,
    channel: text,
    message_ts: text,
    block_id: { ...text, ...nullable },
    action_id: { ...text, ...nullable },
    action_type: { ...text, ...nullable },
    value: { ...json, ...nullable },
    opened_by: { ...uuid, ...nullable },
    form: json,
    kept: json,
    opening: { ...json, ...nullable },
    rest: json,
    response: { ...json, ...nullable },
    request_id: text,
    created_at: timestamp,
  },
  checks: [
    { name: 'interactions_environment', expression: environments },
    { name: 'interactions_kind', expression: "kind in ('block_actions', 'view_submission')" },
  ],
  uniques: [{ name: 'interactions_once', columns: ofTenant('dedupe_key') }],
  indices: [
    { name: 'interactions_message', columns: ofTenant('message_id', 'id') },
    { name: 'interactions_created_at', columns: ['created_at'] },
  ],
});

/** See {@link InteractionActionRow}. */
export const interactionActionEntity = new EntitySchema<InteractionActionRow>({
  name: 'interaction_actions',
  columns: {
    ...tenantKey('interaction_actions_pk'),
    interaction_id: key(uuid, 'interaction_actions_pk'),
    position: key(integer, 'interaction_actions_pk'),
    type: text,
    action: json,
    message_id: uuid,
    status: text,
    applied: { type: 'boolean', default: false },
    due_at: timestamp,
    tries: { ...integer, default: 0 },
    delivery_id: { ...uuid, ...nullable },
    error: { ...text, ...nullable },
    error_details: { ...text, ...nullable },
    created_at: timestamp,
    ended_at: { ...timestamp, ...nullable },
    traceparent: { ...text, ...nullable },
  },
  checks: [
    { name: 'interaction_actions_environment', expression: environments },
    {
      name: 'interaction_actions_type',
      expression: "type in ('open_modal', 'call_destination', 'update_message')",
    },
    {
      name: 'interaction_actions_status',
      expression: "status in ('waiting', 'done', 'failed', 'unknown')",
    },
    { name: 'interaction_actions_ended', expression: "(ended_at is null) = (status = 'waiting')" },
  ],
  indices: [
    { name: 'interaction_actions_due_at', columns: ['due_at'], where: "status = 'waiting'" },
    {
      name: 'interaction_actions_message',
      columns: ofTenant('message_id', 'interaction_id', 'position'),
      where: "status = 'waiting'",
    },
    { name: 'interaction_actions_created_at', columns: ['created_at'] },
  ],
});

/** See {@link MessageContentRow}. */
export const messageContentEntity = new EntitySchema<MessageContentRow>({
  name: 'message_contents',
  columns: {
    ...tenantKey('message_contents_pk'),
    message_id: key(uuid, 'message_contents_pk'),
    blocks: json,
    text: text,
    actions: json,
    context: json,
    updated_at: timestamp,
  },
  checks: [{ name: 'message_contents_environment', expression: environments }],
  indices: [{ name: 'message_contents_updated_at', columns: ['updated_at'] }],
});

/** The entities of interactivity. */
export const interactionEntities = [
  interactionEntity,
  interactionActionEntity,
  messageContentEntity,
] as const;
