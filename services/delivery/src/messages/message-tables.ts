import type { ErrorCode, ErrorFacts, Message } from '@stanza/contracts';
import {
  bigint,
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
import type { Attempt } from '../chat/platform.ts';
import type { MessageActions } from './message-actions.ts';

/** The origin of a message: a request with a waiting caller, or a deferred batch or schedule. */
export type MessageOrigin = 'send' | 'bulk' | DeferredOrigin;

/** See {@link MessageOrigin}: these continue after a crash instead of failing. */
export type DeferredOrigin = 'batch' | 'schedule';

/** What a change does to a sent message: a request updates it, a click does, or a request deletes it. */
export type MessageChange = 'update' | 'interaction' | 'delete';

/**
 * A message, from before its post to its outcome. No index holds what changes of it, so that each of its changes is an
 * update in place; what is found by that is found by its state (`message-state-tables.ts`).
 */
export const messages = table('messages', {
  columns: {
    ...tenant,
    id: uuid(),
    /** With `item`, makes it unique: the number of the message within the operation, from 0. */
    operation_id: uuid(),
    item: integer(),
    origin: withDefault(text<MessageOrigin>(), 'send'),
    /** The batch or the schedule of the message. */
    origin_id: nullable(uuid()),
    /** It was sent to try a version or blocks. */
    test: withDefault(boolean(), false),
    template_id: uuid(),
    version_id: uuid(),
    version_number: integer(),
    channel_id: nullable(text()),
    recipient_email: nullable(text()),
    recipient_chat_id: nullable(text()),
    thread_ts: nullable(text()),
    workspace_id: text(),
    status: text<Message['status']>(),
    /** The conversation posted to; the channel's own id, or that of the direct conversation. */
    channel: nullable(text()),
    message_ts: nullable(text()),
    error: nullable(text<ErrorCode>()),
    /** The public parts of the error, for repeats. */
    error_facts: nullable(json<ErrorFacts>()),
    /** Made right after `id`, by which it is found (`store/by-charge.ts`); a charge has it only when `charged`. */
    credit_log_id: uuid(),
    /** Null while the reservation is open. Once false, it stays so. */
    charged: nullable(boolean()),
    remaining_credits: bigint(),
    warnings: json<string[]>(),
    fields_truncated: integer(),
    attempts: json<Attempt[]>(),
    request_id: text(),
    actor_id: text(),
    /** Digest of its request's `Idempotency-Key`. */
    key_digest: nullable(text()),
    /** Deadline of its sender, by the database's clock. */
    deadline_at: timestamp(),
    /** The try of the deferred send, which each of its writes requires; 0 for a request. */
    fence: withDefault(integer(), 0),
    /** The fence under which its post began; null before. */
    posting_fence: nullable(integer()),
    /** The earliest moment of its post. */
    posting_at: nullable(timestamp()),
    /** Number of lookups after its request had ended. */
    lookups: withDefault(integer(), 0),
    /**
     * When an unknown message is looked up next; null for none. Of a sent change, until when an earlier call for it, which
     * had no answer, may still come about.
     */
    lookup_due_at: nullable(timestamp()),
    created_at: timestamp(),
    updated_at: timestamp(),
    /** Of a change of a sent message, that message: the row is one of its revisions, and no message of its own. */
    revises: nullable(uuid()),
    change: nullable(text<MessageChange>()),
    /** Of a message the revision that its channel shows; of a change its own, by which changes take turns. */
    revision: withDefault(integer(), 1),
    /** Of what the channel shows, or of what the change makes of it; null in rows of the previous version. */
    content_digest: nullable(text()),
    /** What its post showed, once a change shows a version. */
    posted_version_id: nullable(uuid()),
    posted_version_number: nullable(integer()),
    /** The one person of the channel who sees it. */
    visible_to: nullable(text()),
    /** The sender's own name for it. */
    message_key: nullable(text()),
  },
  primaryKey: { name: 'messages_pk', columns: ofTenant('id') },
  checks: [
    check('messages_environment', "environment in ('production', 'preview')"),
    check('messages_item', 'item >= 0'),
    check('messages_status', "status in ('accepted', 'posting', 'sent', 'failed', 'unknown', 'deleted')"),
    check('messages_recipient', 'num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1'),
    check('messages_settled', "(charged is null) = (status in ('accepted', 'posting'))"),
    check('messages_origin', "origin in ('send', 'bulk', 'batch', 'schedule')"),
    check('messages_charged', "status in ('sent', 'deleted') or charged is not true"),
    check(
      'messages_change',
      "(revises is null) = (change is null) and change in ('update', 'interaction', 'delete')",
    ),
  ],
  uniques: [{ name: 'messages_once', columns: ofTenant('operation_id', 'item') }],
  indices: [
    { name: 'messages_template', columns: ofTenant('template_id', 'id') },
    { name: 'messages_id', columns: ['id'] },
    // The first message of an operation leads to the others.
    {
      name: 'messages_keyed',
      columns: ofTenant('key_digest'),
      where: 'key_digest is not null and item = 0',
    },
    {
      name: 'messages_of_key',
      columns: ofTenant('message_key', 'id'),
      where: 'message_key is not null and revises is null',
    },
    {
      name: 'messages_changes',
      columns: ofTenant('revises', 'revision'),
      where: 'revises is not null',
    },
  ],
});

/** A row of {@link messages}. */
export type MessageRow = RowOf<typeof messages>;

/**
 * Keys of operations, each taken once: by a request when it begins, or by a withdrawal, after which it never begins. The
 * key of a deferred send is taken by a withdrawal only, which keeps it from its post.
 */
export const withdrawnOperations = table('withdrawn_operations', {
  columns: {
    ...tenant,
    operation_id: uuid(),
    withdrawn_at: timestamp(),
  },
  primaryKey: { name: 'withdrawn_operations_pk', columns: ofTenant('operation_id') },
  indices: [{ name: 'withdrawn_operations_withdrawn_at', columns: ['withdrawn_at'] }],
});

/** A row of {@link withdrawnOperations}. */
export type WithdrawnOperationRow = RowOf<typeof withdrawnOperations>;

/** A deferred message. */
export const deferredSends = table('deferred_sends', {
  columns: {
    ...tenant,
    /** The message is unique by it. */
    operation_id: uuid(),
    origin: text<DeferredOrigin>(),
    /** The batch, or the schedule. */
    origin_id: uuid(),
    status: text<'waiting' | 'ended'>(),
    /** When it is tried next; the end of the lease while a process works on it. By the database's clock. */
    due_at: timestamp(),
    /** From then on a transient error ends it as failed. */
    give_up_at: timestamp(),
    /** Claims so far: the fence of the current lease. */
    tries: withDefault(integer(), 0),
    /** The last transient error. */
    error: nullable(text<ErrorCode>()),
    created_at: timestamp(),
    ended_at: nullable(timestamp()),
    /** Trace of its request, if it was traced. */
    traceparent: nullable(text()),
  },
  primaryKey: { name: 'deferred_sends_pk', columns: ofTenant('operation_id') },
  checks: [
    check('deferred_sends_environment', "environment in ('production', 'preview')"),
    check('deferred_sends_origin', "origin in ('batch', 'schedule')"),
    check('deferred_sends_status', "status in ('waiting', 'ended')"),
    check('deferred_sends_ended', "(ended_at is null) = (status = 'waiting')"),
  ],
  indices: [
    { name: 'deferred_sends_turns', columns: ['organization_id', 'due_at'], where: "status = 'waiting'" },
    { name: 'deferred_sends_due_at', columns: ['due_at'], where: "status = 'waiting'" },
    { name: 'deferred_sends_ended_at', columns: ['ended_at'], where: "status = 'ended'" },
  ],
});

/** A row of {@link deferredSends}. */
export type DeferredSendRow = RowOf<typeof deferredSends>;

/** The content of a message before an update. */
export interface ReplacedContent extends MessageActions {
  /** Names the update. */
  by: string;
  blocks: Record<string, unknown>[];
  text: string;
}

/** The content of an interactive message, from its first use on; updates change it, and are posted from it. */
export const messageContents = table('message_contents', {
  columns: {
    ...tenant,
    message_id: uuid(),
    blocks: json<Record<string, unknown>[]>(),
    text: text(),
    actions: json<MessageActions['actions']>(),
    context: json<MessageActions['context']>(),
    updated_at: timestamp(),
    /** What the last update has replaced, and by which action; null until the first one. */
    replaced: nullable(json<ReplacedContent>()),
  },
  primaryKey: { name: 'message_contents_pk', columns: ofTenant('message_id') },
  checks: [check('message_contents_environment', "environment in ('production', 'preview')")],
  indices: [{ name: 'message_contents_updated_at', columns: ['updated_at'] }],
});

/** A row of {@link messageContents}. */
export type MessageContentRow = RowOf<typeof messageContents>;

/** Which message a sender's key has in a conversation. */
export const messageKeys = table('message_keys', {
  columns: {
    ...tenant,
    message_key: text(),
    channel: text(),
    message_id: uuid(),
    taken_at: timestamp(),
  },
  primaryKey: { name: 'message_keys_pk', columns: ofTenant('message_key', 'channel') },
  checks: [check('message_keys_environment', "environment in ('production', 'preview')")],
  indices: [{ name: 'message_keys_taken_at', columns: ['taken_at'] }],
});

/** A row of {@link messageKeys}. */
export type MessageKeyRow = RowOf<typeof messageKeys>;
