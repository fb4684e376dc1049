import type { ErrorCode, Interaction } from '@stanza/contracts';
import {
  boolean,
  check,
  integer,
  json,
  nullable,
  ofTenant,
  type RowOf,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

type JsonObject = Record<string, unknown>;

/** An interaction of a person. */
export const interactions = table('interactions', {
  columns: {
    ...tenant,
    id: uuid(),
    /** Makes it unique, however often the platform delivers it: its trigger, or the view and its hash. */
    dedupe_key: text(),
    kind: text<Interaction['kind']>(),
    workspace_id: text(),
    user_id: text(),
    user_name: nullable(text()),
    /** The message where it began, and its location. */
    message_id: uuid(),
    template_id: uuid(),
    channel: text(),
    message_ts: text(),
    /** The used element of the message; a submission has that of the click which opened its modal. */
    block_id: nullable(text()),
    action_id: nullable(text()),
    action_type: nullable(text()),
    value: nullable(json<unknown>()),
    /** The interaction that opened the submitted modal. */
    opened_by: nullable(uuid()),
    /** The values entered so far, by action id: each step of a modal adds to them. */
    form: json<JsonObject>(),
    /** The values that the message stores for the element, by path. */
    kept: json<JsonObject>(),
    /** The action whose modal it opens, if any. */
    opening: nullable(json<JsonObject>()),
    /** The actions to run once that modal is submitted. */
    rest: json<JsonObject[]>(),
    /** The answer to a submission, for repeats. */
    response: nullable(json<JsonObject>()),
    request_id: text(),
    created_at: timestamp(),
  },
  primaryKey: { name: 'interactions_pk', columns: ofTenant('id') },
  checks: [
    check('interactions_environment', "environment in ('production', 'preview')"),
    check('interactions_kind', "kind in ('block_actions', 'view_submission')"),
  ],
  uniques: [{ name: 'interactions_once', columns: ofTenant('dedupe_key') }],
  indices: [
    { name: 'interactions_message', columns: ofTenant('message_id', 'id') },
    { name: 'interactions_created_at', columns: ['created_at'] },
  ],
});

/** A row of {@link interactions}. */
export type InteractionRow = RowOf<typeof interactions>;

/** One action of an interaction. */
export const interactionActions = table('interaction_actions', {
  columns: {
    ...tenant,
    interaction_id: uuid(),
    position: integer(),
    type: text<Interaction['actions'][number]['type']>(),
    /** As in the template, with its placeholders. */
    action: json<JsonObject>(),
    message_id: uuid(),
    status: text<Interaction['actions'][number]['status']>(),
    /** The content of the message includes it; the platform may not have it yet. */
    applied: withDefault(boolean(), false),
    /** When it is tried next; the end of the lease while a process works on it. */
    due_at: timestamp(),
    tries: withDefault(integer(), 0),
    delivery_id: nullable(uuid()),
    error: nullable(text<ErrorCode>()),
    error_details: nullable(text()),
    created_at: timestamp(),
    ended_at: nullable(timestamp()),
    /** Trace of the interaction, if it was traced. */
    traceparent: nullable(text()),
  },
  primaryKey: { name: 'interaction_actions_pk', columns: ofTenant('interaction_id', 'position') },
  checks: [
    check('interaction_actions_environment', "environment in ('production', 'preview')"),
    check('interaction_actions_type', "type in ('open_modal', 'call_destination', 'update_message')"),
    check('interaction_actions_status', "status in ('waiting', 'done', 'failed', 'unknown')"),
    check('interaction_actions_ended', "(ended_at is null) = (status = 'waiting')"),
  ],
  indices: [
    { name: 'interaction_actions_due_at', columns: ['due_at'], where: "status = 'waiting'" },
    {
      name: 'interaction_actions_turns',
      columns: ['organization_id', 'due_at'],
      where: "status = 'waiting'",
    },
    {
      name: 'interaction_actions_message',
      columns: ofTenant('message_id', 'interaction_id', 'position'),
      where: "status = 'waiting'",
    },
    { name: 'interaction_actions_created_at', columns: ['created_at'] },
  ],
});

/** A row of {@link interactionActions}. */
export type InteractionActionRow = RowOf<typeof interactionActions>;
