import { findRow, type Queryable, statement, type Tenant } from '@stanza/runtime';
import { tenantRead } from '@stanza/runtime/table';
import type { Attempt } from '../../chat/platform.ts';
import { type MessageRow, messages } from '../message-tables.ts';
import { type NewMessage, valuesOf } from './beginnings.ts';

const findByOperation = statement<MessageRow>(
  'message-by-operation',
  tenantRead(messages, 'and operation_id = $3 and item = $4'),
);

/** Reads the message of an operation, if it has one. */
export const findMessageOf = (
  tenant: Tenant,
  db: Queryable,
  operationId: string,
  item: number,
): Promise<MessageRow | undefined> =>
  findRow(db, findByOperation, [tenant.organizationId, tenant.environment, operationId, item]);

const findAllByOperation = statement<MessageRow>(
  'messages-by-operation',
  tenantRead(messages, 'and operation_id = $3 order by item'),
);

/** Reads all messages of an operation, by number. */
export const findMessagesOf = (tenant: Tenant, db: Queryable, operationId: string): Promise<MessageRow[]> =>
  db.query(findAllByOperation, [tenant.organizationId, tenant.environment, operationId]);

/** The messages of an operation. */
export type MessagesOf = readonly [MessageRow, ...MessageRow[]];

/** True when an operation has messages. */
export const isSome = (rows: readonly MessageRow[]): rows is MessagesOf => rows.length > 0;

/** The columns of a new message that is not a post of a request, but for its revision and its status. */
export const newColumns = `organization_id, environment, id, operation_id, item, template_id, version_id, version_number,
      channel_id, recipient_email, recipient_chat_id, thread_ts, workspace_id, credit_log_id, remaining_credits,
      warnings, fields_truncated, request_id, actor_id, deadline_at, fence, origin, origin_id, key_digest, revises,
      change, content_digest, visible_to, message_key, attempts, created_at, updated_at`;

/**
 * Their values, from `given` with {@link givenColumns} and the tenant in `$1` and `$2`. The deadline is by the database's
 * clock, since other processes compare it with theirs.
 */
export const newValues = `$1, $2, given.id, given.operation_id, given.item, given.template_id, given.version_id,
          given.version_number, given.channel_id, given.recipient_email, given.recipient_chat_id, given.thread_ts,
          given.workspace_id, given.credit_log_id, given.remaining_credits, given.warnings, given.fields_truncated,
          given.request_id, given.actor_id,
          clock_timestamp() + given.remaining_ms * interval '1 millisecond', given.fence, given.origin, given.origin_id, given.key_digest,
          given.revises, given.change, given.content_digest,
          given.visible_to, given.message_key, '[]', clock_timestamp(), clock_timestamp()`;

/** What is given of a new message. */
export const givenColumns = `id uuid, operation_id uuid, item integer, template_id uuid, version_id uuid, version_number integer,
     channel_id text, recipient_email text, recipient_chat_id text, thread_ts text, workspace_id text,
     credit_log_id uuid, remaining_credits bigint, warnings json, fields_truncated integer, request_id text,
     actor_id text, remaining_ms float8, fence integer, origin text, origin_id uuid, key_digest text, revises uuid,
     change text, revision integer, content_digest text, visible_to text, message_key text`;

const insert = statement<Pick<MessageRow, 'id'>>(
  'messages-insert',
  `insert into messages (${newColumns}, revision, status)
   select ${newValues}, given.revision, 'accepted'
   from json_to_recordset($3::json) as given (${givenColumns})
   where given.remaining_ms > 0
   order by given.item
   on conflict on constraint messages_once do nothing
   returning id`,
);

/**
 * Accepts the message of a deferred send, or a change of a sent message.
 * @returns false when there is one already, or when the deadline has passed
 */
export const insertMessage = async (tenant: Tenant, db: Queryable, message: NewMessage): Promise<boolean> => {
  const rows = await db.query(insert, [
    tenant.organizationId,
    tenant.environment,
    JSON.stringify([valuesOf(message)]),
  ]);
  return rows.length === 1;
};

const renew = statement<Pick<MessageRow, 'id'>>(
  'message-renew',
  `update messages
   set deadline_at = clock_timestamp() + $4 * interval '1 millisecond',
       fence = $5,
       template_id = coalesce($6, template_id),
       version_id = coalesce($7, version_id),
       version_number = coalesce($8, version_number),
       workspace_id = coalesce($9, workspace_id),
       warnings = coalesce($10::json, warnings),
       fields_truncated = coalesce($11, fields_truncated),
       content_digest = coalesce($12, content_digest),
       updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and id = $3
     and status = 'accepted'
     and fence <= $5
   returning id`,
);

/** What a try compiles, and where it posts that. */
export type NewContent = Pick<
  NewMessage,
  | 'template_id'
  | 'version_id'
  | 'version_number'
  | 'workspace_id'
  | 'warnings'
  | 'fields_truncated'
  | 'content_digest'
>;

/**
 * Passes an accepted deferred message to another try, with a new deadline. From then on writes of an earlier try fail.
 * @param content what this try posts; as before where it only ends the message
 * @returns false when it is no longer accepted, or a later try has it
 */
export const renewMessage = async (
  tenant: Tenant,
  db: Queryable,
  { id, fence }: Pick<MessageRow, 'id' | 'fence'>,
  remainingMs: number,
  content?: NewContent,
): Promise<boolean> => {
  const rows = await db.query(renew, [
    tenant.organizationId,
    tenant.environment,
    id,
    remainingMs,
    fence,
    content?.template_id ?? null,
    content?.version_id ?? null,
    content?.version_number ?? null,
    content?.workspace_id ?? null,
    content ? JSON.stringify(content.warnings) : null,
    content?.fields_truncated ?? null,
    content?.content_digest ?? null,
  ]);
  return rows.length === 1;
};

const returnToAccepted = statement<Pick<MessageRow, 'id'>>(
  'message-return-to-accepted',
  `update messages
   set status = 'accepted',
       posting_at = null,
       posting_fence = null,
       attempts = $4::json,
       updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and id = $3
     and fence = $5
     and (status = 'accepted' or (status = 'posting' and posting_fence = $5))
   returning id`,
);

/** Makes a message accepted again after a try that posted nothing and is to be repeated. */
export const acceptAgain = async (
  tenant: Tenant,
  db: Queryable,
  { id, fence }: Pick<MessageRow, 'id' | 'fence'>,
  attempts: readonly Attempt[],
): Promise<void> => {
  const values = [id, JSON.stringify(attempts), fence];
  await db.query(returnToAccepted, [tenant.organizationId, tenant.environment, ...values]);
};
