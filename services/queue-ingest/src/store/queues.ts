import type { Page, QueueMode } from '@stanza/contracts';
import {
  type Database,
  isUniqueViolation,
  type Keyed,
  ownerOf,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { IsNull } from 'typeorm';
import type { QueueRow } from '../domain/tables.ts';
import { queueEntity } from './entities.ts';
import { queueKeys } from './keys.ts';

const present = { deleted_at: IsNull() };

/** Reads a queue. */
export const findQueue = (tenant: Tenant, db: Queryable, id: string): Promise<QueueRow | null> =>
  db.orm.findOneBy(queueEntity, { ...ownerOf(tenant), ...present, id });

/** Reads a queue and locks it against changes and pushes until the transaction ends. */
export const lockQueue = (tenant: Tenant, tx: Transaction, id: string): Promise<QueueRow | null> =>
  tx.orm.findOne(queueEntity, {
    where: { ...ownerOf(tenant), ...present, id },
    lock: { mode: 'for_no_key_update' },
  });

/**
 * Reads a queue and keeps it from being deleted until the transaction ends; pushes to it go on. What deletes it asks for
 * {@link lockDoomedQueue}.
 */
export const holdQueue = (tenant: Tenant, tx: Transaction, id: string): Promise<QueueRow | null> =>
  tx.orm.findOne(queueEntity, {
    where: { ...ownerOf(tenant), ...present, id },
    lock: { mode: 'for_key_share' },
  });

/** Reads a queue that is to be deleted, once nothing holds it any more. */
export const lockDoomedQueue = (tenant: Tenant, tx: Transaction, id: string): Promise<QueueRow | null> =>
  tx.orm.findOne(queueEntity, {
    where: { ...ownerOf(tenant), ...present, id },
    lock: { mode: 'pessimistic_write' },
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

/** Saves a new queue. */
export const insertQueueOnce = async (
  tenant: Tenant,
  tx: Transaction,
  { key, ...made }: Omit<QueueRow, 'organization_id' | 'environment'> & { key: string | undefined },
): Promise<Keyed<QueueRow>> => {
  const queue = { ...ownerOf(tenant), ...made };
  await tx.orm.insert(queueEntity, queue);
  if (key !== undefined) await queueKeys.change(tenant, tx, queue.id, key);
  return queueKeys.withKey(tenant, tx, queue);
};

/** Reads a queue with its key, by its id or by the operation that has made it. */
export const findKeyedQueue = (
  tenant: Tenant,
  database: Database,
  named: { id: string } | { operation_id: string },
): Promise<Keyed<QueueRow> | null> =>
  database.transaction(
    async (tx) => {
      const queue = await tx.orm.findOneBy(queueEntity, { ...ownerOf(tenant), ...present, ...named });
      return queue && queueKeys.withKey(tenant, tx, queue);
    },
    { isolation: 'REPEATABLE READ' },
  );

const activeOf = statement<{ id: string; name: string; template_id: string }>(
  'queues-of-templates',
  `select id, name, template_id
   from queues
   where organization_id = $1
     and environment = $2
     and template_id = any ($3::uuid[])
     and is_active
     and deleted_at is null
   order by name, id
   limit 100`,
);

/** The active queues that make digests of some templates; the first hundred. */
export const activeQueuesOf = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  templateIds: readonly string[],
): Promise<{ id: string; name: string; template_id: string }[]> =>
  db.query(activeOf, [organizationId, environment, templateIds]);

/** True when an operation would create its queue a second time. */
export const isMadeBefore = (error: unknown): boolean => isUniqueViolation(error, 'queues_operation');

/** The filters and the page of a list of queues. */
export interface QueueQuery {
  key?: string | undefined;
  mode?: QueueMode | undefined;
  is_active?: boolean | undefined;
  limit: number;
  offset: number;
}

/** Lists queues, newest first; page and total come from one snapshot. */
export const pageOfQueues = (
  tenant: Tenant,
  database: Database,
  { key, mode, is_active, limit, offset }: QueueQuery,
): Promise<Page<Keyed<QueueRow>>> =>
  database.transaction(
    async (tx) => {
      const id = key === undefined ? undefined : await queueKeys.idOf(tenant, tx, key);
      if (key !== undefined && id === undefined) return { items: [], total: 0 };
      const [items, total] = await tx.orm.findAndCount(queueEntity, {
        where: {
          ...ownerOf(tenant),
          ...present,
          ...(id !== undefined && { id }),
          ...(mode && { mode }),
          ...(is_active !== undefined && { is_active }),
        },
        order: { created_at: 'DESC', id: 'DESC' },
        take: limit,
        skip: offset,
      });
      return { items: await queueKeys.withKeys(tenant, tx, items), total };
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

const countPresent = statement<{ stored: number }>(
  'queue-count-present',
  `select count(*) as stored
   from queues
   where organization_id = $1 and deleted_at is null and operation_id <> $2`,
);

/** Counts the queues of an organization, in both environments, under the same lock as the active ones. */
export const countOtherQueues = async (
  tx: Transaction,
  organizationId: string,
  operationId: string,
): Promise<number> => {
  await tx.query(lockOrganization, [organizationId]);
  const [row] = await tx.query(countPresent, [organizationId, operationId]);
  return row?.stored ?? 0;
};

/**
 * Counts the active queues of an organization, in both environments, without the given one. The count is locked until
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

/** References returned to a caller who wants to delete their target. */
const namedQueues = 10;

/** Inactive ones must not push active ones beyond the limit. */
const firstActive = { is_active: 'DESC', created_at: 'ASC', id: 'ASC' } as const;

/** The first queues whose digests use a template, active ones first. */
export const queuesOfTemplate = (tenant: Tenant, db: Queryable, templateId: string): Promise<QueueRow[]> =>
  db.orm.find(queueEntity, {
    where: { ...ownerOf(tenant), ...present, template_id: templateId },
    order: firstActive,
    take: namedQueues,
  });

/** The first queues that deliver to a destination, active ones first. */
export const queuesOfDestination = (
  tenant: Tenant,
  db: Queryable,
  destinationId: string,
): Promise<QueueRow[]> =>
  db.orm.find(queueEntity, {
    where: { ...ownerOf(tenant), ...present, destination_id: destinationId },
    order: firstActive,
    take: namedQueues,
  });
