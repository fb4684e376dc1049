import {
  type InputOf,
  idempotencyKeyDigest,
  type listMessages,
  type Message,
  type Page,
} from '@stanza/contracts';
import { type Database, type Queryable, statement, type Tenant } from '@stanza/runtime';
import { messageEntity } from '../../store/entities.ts';
import type { MessageRow } from '../message-tables.ts';

/** The filters and the page of a list of messages. */
export type MessageQuery = InputOf<typeof listMessages>['query'];

/** Reads a message. */
export const findMessage = (tenant: Tenant, db: Queryable, id: string): Promise<MessageRow | null> =>
  db.orm.findOneBy(messageEntity, {
    organization_id: tenant.organizationId,
    environment: tenant.environment,
    id,
  });

/** The stored form of an idempotency key. */
export const digestFor = ({ organizationId, environment }: Tenant, key: string): string =>
  idempotencyKeyDigest({ organization_id: organizationId, environment }, key);

/** A page of the log, and where it continues. */
export interface LogPage extends Page<MessageRow> {
  /** The message before which the next page begins; null at the end. */
  nextBefore: string | null;
}

/** Lists messages by indexed filters, newest first; page and total come from one snapshot. */
export const pageOfMessages = (
  tenant: Tenant,
  database: Database,
  { status, template_id, credit_log_id, idempotency_key, limit, offset }: MessageQuery,
): Promise<LogPage> =>
  database.transaction(
    async ({ orm }) => {
      const [items, total] = await orm.findAndCount(messageEntity, {
        where: {
          organization_id: tenant.organizationId,
          environment: tenant.environment,
          ...(status !== undefined && { status }),
          ...(template_id !== undefined && { template_id }),
          ...(credit_log_id !== undefined && { credit_log_id, charged: true }),
          ...(idempotency_key !== undefined && { key_digest: digestFor(tenant, idempotency_key) }),
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
  `select status, count(*) as count
   from messages
   where organization_id = $1
     and environment = $2
   group by status`,
);

/** Counts messages by status; statuses without a message are omitted. */
export const countByStatus = async (
  tenant: Tenant,
  db: Queryable,
): Promise<Partial<Record<Message['status'], number>>> => {
  const rows = await db.query(count, [tenant.organizationId, tenant.environment]);
  return Object.fromEntries(rows.map((row) => [row.status, row.count]));
};
