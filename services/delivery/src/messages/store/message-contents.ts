import { findRow, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { tenantRead } from '@stanza/runtime/table';
import { type MessageContentRow, messageContents } from '../message-tables.ts';

/** The content of a message. */
export type MessageContent = Pick<MessageContentRow, 'blocks' | 'text' | 'actions' | 'context'>;

const keep = statement<Record<string, never>>(
  'message-content-keep',
  `insert into message_contents (organization_id, environment, message_id, blocks, text, actions, context, updated_at)
   values ($1, $2, $3, $4::json, $5, $6::json, $7::json, clock_timestamp())
   on conflict on constraint message_contents_pk do nothing`,
);

const writing =
  (asked: typeof keep) =>
  async (
    tenant: Tenant,
    tx: Transaction,
    messageId: string,
    { blocks, text, actions, context }: MessageContent,
  ): Promise<void> => {
    const content = [JSON.stringify(blocks), text, JSON.stringify(actions), JSON.stringify(context)];
    await tx.query(asked, [tenant.organizationId, tenant.environment, messageId, ...content]);
  };

/** Stores the content of a message at its first use; existing content is newer and stays. */
export const keepContent = writing(keep);

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
   set blocks = $4::json, text = $5, actions = $6::json, context = $7::json, updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and message_id = $3`,
);

/** Changes the content of a message. */
export const changeContent = writing(change);

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
