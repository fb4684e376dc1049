import type { InputOf, listMessages, Message, Page } from '@stanza/contracts';
import {
  type Database,
  entityOf,
  findRow,
  InvariantError,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { tenantRead } from '@stanza/runtime/table';
import { And, In, IsNull, Raw } from 'typeorm';
import { type MessageRow, messages } from '../message-tables.ts';
import { messagesOfCharge } from './by-charge.ts';
import { messagesOfKey } from './by-key.ts';
import { isOwnMessage } from './revisions.ts';

/** The entity of {@link messages}. */
export const messageEntity = entityOf(messages);

/** The filters and the page of a list of messages. */
export type MessageQuery = InputOf<typeof listMessages>['query'];

const find = statement<MessageRow>('message-find', tenantRead(messages, 'and id = $3 and revises is null'));

/** Reads a message. */
export const findMessage = async (tenant: Tenant, db: Queryable, id: string): Promise<MessageRow | null> =>
  (await findRow(db, find, [tenant.organizationId, tenant.environment, id])) ?? null;

/** A page of the log, and where it continues. */
export interface LogPage extends Page<MessageRow> {
  /** The message before which the next page begins; null at the end. */
  nextBefore: string | null;
}

const unsent = `from message_states
   where organization_id = $1
     and environment = $2
     and status <> 'sent'
     and ${isOwnMessage('message_id')}`;

/**
 * Messages that are sent are all but the unsent ones: most are, so that neither an index nor a sum of their own would
 * be small.
 */
const sentTotal = `(select count(*) from messages where organization_id = $1 and environment = $2 and ${isOwnMessage('id')})
     - (select count(*) ${unsent})`;

const unsentPage = statement<{ total: number; ids: string[] }>(
  'messages-unsent',
  `select
     (select count(*) ${unsent} and status = $3) as total,
     array(
       select message_id ${unsent} and status = $3 order by message_id desc limit $4 offset $5)::text[] as ids`,
);

const sentPage = statement<{ total: number; ids: string[] }>(
  'messages-sent',
  `select
     ${sentTotal} as total,
     array(
       select id
       from messages
       where organization_id = $1
         and environment = $2
         and status = $3
         and ${isOwnMessage('id')}
       order by id desc
       limit $4 offset $5)::text[] as ids`,
);

/** Pages through the messages of a status. */
const pageOfStatus = async (
  tx: Transaction,
  { organizationId: organization_id, environment }: Tenant,
  status: Message['status'],
  { limit, offset }: Pick<MessageQuery, 'limit' | 'offset'>,
): Promise<[MessageRow[], number]> => {
  const page = status === 'sent' ? sentPage : unsentPage;
  const [found] = await tx.query(page, [organization_id, environment, status, limit, offset]);
  if (!found) throw new InvariantError('an aggregate has one row');
  const where = { organization_id, environment, id: In(found.ids) };
  return [await tx.orm.find(messageEntity, { where, order: { id: 'DESC' } }), found.total];
};

/** The ids that a charge and an idempotency key lead to; undefined without either. */
const idsNamed = async (
  tenant: Tenant,
  tx: Transaction,
  { credit_log_id, idempotency_key }: Pick<MessageQuery, 'credit_log_id' | 'idempotency_key'>,
): Promise<string[] | undefined> => {
  const ofCharge =
    credit_log_id === undefined ? undefined : await messagesOfCharge(tenant, tx, credit_log_id);
  const ofKey = idempotency_key === undefined ? undefined : await messagesOfKey(tenant, tx, idempotency_key);
  return ofCharge && ofKey ? ofCharge.filter((id) => ofKey.includes(id)) : (ofCharge ?? ofKey);
};

/** By its id: indexes hold ids, so that messages are counted without a look at their rows. */
const own = Raw(isOwnMessage);

/** Lists messages by indexed filters, newest first; page and total come from one snapshot. */
export const pageOfMessages = (
  tenant: Tenant,
  database: Database,
  { status, template_id, credit_log_id, idempotency_key, message_key, limit, offset }: MessageQuery,
): Promise<LogPage> =>
  database.transaction(
    async (tx) => {
      const ids = await idsNamed(tenant, tx, { credit_log_id, idempotency_key });
      const narrowing = {
        ...(template_id !== undefined && { template_id }),
        // Its index holds messages alone, by this condition.
        ...(message_key !== undefined && { message_key, revises: IsNull() }),
        ...(ids && { id: And(In(ids), own) }),
      };
      const [items, total] =
        status !== undefined && Object.keys(narrowing).length === 0
          ? await pageOfStatus(tx, tenant, status, { limit, offset })
          : await tx.orm.findAndCount(messageEntity, {
              where: {
                organization_id: tenant.organizationId,
                environment: tenant.environment,
                id: own,
                ...narrowing,
                ...(status !== undefined && { status }),
              },
              order: { id: 'DESC' },
              take: limit,
              skip: offset,
            });
      const last = items.at(-1);
      return { items, total, nextBefore: last && offset + items.length < total ? last.id : null };
    },
    { isolation: 'REPEATABLE READ' },
  );

const count = statement<{ status: Message['status']; count: number }>(
  'messages-count',
  `select status, count
   from (
     select status, count(*) as count ${unsent}
     group by status
     union all
     select 'sent', ${sentTotal}) as counted
   where count > 0`,
);

/** Counts messages by status; statuses without a message are omitted. */
export const countByStatus = async (
  tenant: Tenant,
  db: Queryable,
): Promise<Partial<Record<Message['status'], number>>> => {
  const rows = await db.query(count, [tenant.organizationId, tenant.environment]);
  return Object.fromEntries(rows.map((row) => [row.status, row.count]));
};
