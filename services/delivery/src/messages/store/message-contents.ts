import { findRow, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { tenantRead } from '@stanza/runtime/table';
import { type MessageContentRow, messageContents } from '../message-tables.ts';
import { isMessage } from './by-id.ts';

/** The content of a message. */
export type MessageContent = Pick<MessageContentRow, 'blocks' | 'text' | 'actions' | 'context'>;

// Of this and the end of an update one waits for the other: what the update replaced is not kept, or is forgotten by it.
const keep = statement<Record<string, never>>(
  'message-content-keep',
  `insert into message_contents (organization_id, environment, message_id, blocks, text, actions, context, updated_at)
   select $1, $2, id, $4::json, $5, $6::json, $7::json, clock_timestamp()
   from messages
   where ${isMessage('messages', { organization: '$1', environment: '$2', id: '$3' })}
     and revision <= $8
   for share
   on conflict on constraint message_contents_pk do nothing`,
);

const valuesOf = (
  { organizationId, environment }: Tenant,
  messageId: string,
  { blocks, text, actions, context }: MessageContent,
): string[] => {
  const content = [JSON.stringify(blocks), text, JSON.stringify(actions), JSON.stringify(context)];
  return [organizationId, environment, messageId, ...content];
};

/**
 * Stores the content of a message at its first use; existing content is newer and stays.
 * @param revision the revision that was used: that of a message which shows a later one is not kept
 */
export const keepContent = async (
  tenant: Tenant,
  tx: Transaction,
  messageId: string,
  { revision, ...content }: MessageContent & { revision: number },
): Promise<void> => {
  await tx.query(keep, [...valuesOf(tenant, messageId, content), revision]);
};

const find = statement<MessageContentRow>(
  'message-content-find',
  tenantRead(messageContents, 'and message_id = $3'),
);

const lock = statement<MessageContentRow>('message-content-lock', `${find.text}\n   for update`);

/** Reads the content of a message. */
export const findContent = (
  tenant: Tenant,
  db: Queryable,
  messageId: string,
): Promise<MessageContentRow | undefined> =>
  findRow(db, find, [tenant.organizationId, tenant.environment, messageId]);

/** Reads the content of a message and locks it until the transaction ends. */
export const lockContent = (
  tenant: Tenant,
  tx: Transaction,
  messageId: string,
): Promise<MessageContentRow | undefined> =>
  findRow(tx, lock, [tenant.organizationId, tenant.environment, messageId]);

const change = statement<Record<string, never>>(
  'message-content-change',
  `update message_contents
   set replaced = json_build_object('by', $8::text, 'blocks', blocks, 'text', text, 'actions', actions,
       'context', context),
     blocks = $4::json, text = $5, actions = $6::json, context = $7::json, updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and message_id = $3`,
);

/**
 * Changes the content of a message, and keeps what it replaces.
 * @param by names the update, which alone can be taken back
 */
export const changeContent = async (
  tenant: Tenant,
  tx: Transaction,
  messageId: string,
  { by, ...content }: MessageContent & { by: string },
): Promise<void> => {
  await tx.query(change, [...valuesOf(tenant, messageId, content), by]);
};

const takeBack = statement<Record<string, never>>(
  'message-content-take-back',
  `update message_contents
   set blocks = $4::json, text = $5, actions = $6::json, context = $7::json, replaced = null,
     updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and message_id = $3`,
);

/** Takes back an update of the content of a message, if it was the last one. */
export const takeBackContent = async (
  tenant: Tenant,
  tx: Transaction,
  messageId: string,
  by: string,
): Promise<void> => {
  const replaced = (await lockContent(tenant, tx, messageId))?.replaced;
  if (replaced?.by === by) await tx.query(takeBack, valuesOf(tenant, messageId, replaced));
};

const forget = statement<Record<string, never>>(
  'message-content-forget',
  `delete from message_contents
   where organization_id = $1
     and environment = $2
     and message_id = $3`,
);

/** Forgets the content of a message. */
export const forgetContent = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  messageId: string,
): Promise<void> => {
  await tx.query(forget, [organizationId, environment, messageId]);
};
