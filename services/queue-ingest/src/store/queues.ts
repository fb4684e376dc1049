import type { Page, QueueMode } from '@stanza/contracts';
import {
  type Database,
  isUniqueViolation,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { IsNull } from 'typeorm';
import type { QueueRow } from '../domain/rows.ts';
import { queueEntity } from './entities.ts';
import { ownerOf } from './owner.ts';

const present = { deleted_at: IsNull() };

/** Reads a queue. */
export const findQueue = (tenant: Tenant, db: Queryable, id: string): Promise<QueueRow | null> =>
  db.orm.findOneBy(queueEntity, { ...ownerOf(tenant), ...present, id });

/** Reads a queue and keeps everybody else from changing it or pushing to it until the transaction ends. */
export const lockQueue = (tenant: Tenant, tx: Transaction, id: string): Promise<QueueRow | null> =>
  tx.orm.findOne(queueEntity, {
    where: { ...ownerOf(tenant), ...present, id },
    lock: { mode: 'for_no_key_update' },
  });

/** Changes a queue that is locked. */
export const changeQueue = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<QueueRow>,
): Promise<void> => {
  await tx.orm.update(queueEntity, { ...ownerOf(tenant), id }, changes);
};

/** Saves a new queue; if its operation has done so before, answers what it saved then. */
export const insertQueueOnce = async (
  tenant: Tenant,
  tx: Transaction,
  made: Omit<QueueRow, 'organization_id' | 'environment'>,
): Promise<QueueRow> => {
  const queue = { ...ownerOf(tenant), ...made };
  await tx.orm.insert(queueEntity, queue);
  return queue;
};

/** The queue that an operation has made. */
export const findQueueMadeBy = (
  tenant: Tenant,
  db: Queryable,
  operationId: string,
): Promise<QueueRow | null> =>
  db.orm.findOneBy(queueEntity, { ...ownerOf(tenant), operation_id: operationId });

/** True when an operation would have made its queue a second time. */
export const isMadeBefore = (error: unknown): boolean => isUniqueViolation(error, 'queues_operation');

/** The filters and the page of a list of queues. */
export interface QueueQuery {
  mode?: QueueMode | undefined;
  is_active?: boolean | undefined;
  limit: number;
  offset: number;
}

/** Lists queues, newest first; page and total are of the same moment. */
export const pageOfQueues = (
  tenant: Tenant,
  database: Database,
  { mode, is_active, limit, offset }: QueueQuery,
): Promise<Page<QueueRow>> =>
  database.transaction(
    async ({ orm }) => {
      const [items, total] = await orm.findAndCount(queueEntity, {
        where: {
          ...ownerOf(tenant),
          ...present,
          ...(mode && { mode }),
          ...(is_active !== undefined && { is_active }),
        },
        order: { created_at: 'DESC', id: 'DESC' },
        take: limit,
        skip: offset,
      });
      return { items, total };
    },
    { isolation: 'REPEATABLE READ' },
  );

const lockOrganization = statement<Record<string, never>>(
  'queue-lock-tier',
  "select pg_advisory_xact_lock(hashtextextended('queues of ' || $1, 0))",
);

const countActive = statement<{ active: number }>(
  'queue-count-active',
  `select count(*) as active
   from queues
   where organization_id = $1 and is_active and deleted_at is null and id <> $2`,
);

/**
 * Counts the active queues of an organization, in both environments, without the one given. Nobody else counts until
 * the transaction ends, so that two requests never take the last place of the tier together.
 */
export const countOtherActive = async (
  tx: Transaction,
  organizationId: string,
  exceptId: string,
): Promise<number> => {
  await tx.query(lockOrganization, [organizationId]);
  const [row] = await tx.query(countActive, [organizationId, exceptId]);
  return row?.active ?? 0;
};

/** Queues that are named to whoever wants to delete what they refer to. */
const namedQueues = 10;

/** The first queues that make their digests from a template. */
export const queuesOfTemplate = (tenant: Tenant, db: Queryable, templateId: string): Promise<QueueRow[]> =>
  db.orm.find(queueEntity, {
    where: { ...ownerOf(tenant), ...present, template_id: templateId },
    order: { created_at: 'ASC', id: 'ASC' },
    take: namedQueues,
  });

/** The first queues that deliver to a destination. */
export const queuesOfDestination = (
  tenant: Tenant,
  db: Queryable,
  destinationId: string,
): Promise<QueueRow[]> =>
  db.orm.find(queueEntity, {
    where: { ...ownerOf(tenant), ...present, destination_id: destinationId },
    order: { created_at: 'ASC', id: 'ASC' },
    take: namedQueues,
  });
