import type { InputOf, listEventSubscriptions, Page } from '@stanza/contracts';
import {
  type Database,
  entityOf,
  filteredId,
  ownerOf,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { destinationKeys } from '../../destinations/store/destination-keys.ts';
import { type EventSubscriptionRow, eventSubscriptions } from '../event-tables.ts';

/** The entity of {@link eventSubscriptions}. */
export const eventSubscriptionEntity = entityOf(eventSubscriptions);

/** The filters and page of a list of subscriptions. */
export type EventSubscriptionQuery = InputOf<typeof listEventSubscriptions>['query'];

/** Reads a subscription, by its id or by the operation that has made it. */
export const findEventSubscription = (
  tenant: Tenant,
  db: Queryable,
  named: { id: string } | { operation_id: string },
): Promise<EventSubscriptionRow | null> =>
  db.orm.findOneBy(eventSubscriptionEntity, { ...ownerOf(tenant), ...named });

/** Reads a subscription and locks it against changes until the transaction ends. */
export const lockEventSubscription = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<EventSubscriptionRow | null> =>
  tx.orm.findOne(eventSubscriptionEntity, {
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'pessimistic_write' },
  });

const lockAll = statement<object>(
  'event-subscriptions-lock',
  "select pg_advisory_xact_lock(hashtextextended('event subscriptions ' || $1 || ' ' || $2, 0))",
);

/** Counts the subscriptions of an environment; until the transaction ends no other one is counted or added. */
export const countEventSubscriptions = async (tenant: Tenant, tx: Transaction): Promise<number> => {
  await tx.query(lockAll, [tenant.organizationId, tenant.environment]);
  return tx.orm.countBy(eventSubscriptionEntity, ownerOf(tenant));
};

/** Saves a new subscription. */
export const insertEventSubscription = async (
  tenant: Tenant,
  tx: Transaction,
  made: Omit<EventSubscriptionRow, 'organization_id' | 'environment'>,
): Promise<EventSubscriptionRow> => {
  const row = { ...ownerOf(tenant), ...made };
  await tx.orm.insert(eventSubscriptionEntity, row);
  return row;
};

/** Writes some values of a locked subscription. */
export const writeEventSubscription = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<Omit<EventSubscriptionRow, 'organization_id' | 'environment' | 'id'>>,
): Promise<void> => {
  await tx.orm.update(eventSubscriptionEntity, { ...ownerOf(tenant), id }, changes);
};

/** Deletes a subscription. */
export const removeEventSubscription = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.orm.delete(eventSubscriptionEntity, { ...ownerOf(tenant), id });
};

/** The ids of the subscriptions that deliver to a destination. */
export const subscriptionsOf = async (
  tenant: Tenant,
  tx: Transaction,
  destinationId: string,
): Promise<string[]> => {
  const where = { ...ownerOf(tenant), destination_id: destinationId };
  const rows = await tx.orm.find(eventSubscriptionEntity, { where, order: { id: 'ASC' } });
  return rows.map(({ id }) => id);
};

const select = statement<EventSubscriptionRow>(
  'event-subscriptions-page',
  `select ${columnsOf(eventSubscriptions)}
   from event_subscriptions
   where organization_id = $1 and environment = $2
     and ($3::uuid is null or destination_id = $3)
     and ($4::text is null or $4 = any (types))
   order by created_at desc, id desc`,
);

/** Lists subscriptions, newest first. There are few of them: the page is cut from all. */
export const pageOfEventSubscriptions = async (
  tenant: Tenant,
  database: Database,
  { destination_id, destination_key, type, limit, offset }: EventSubscriptionQuery,
): Promise<Page<EventSubscriptionRow>> => {
  const { organizationId, environment } = tenant;
  const wanted = filteredId(
    { id: destination_id, key: destination_key },
    destination_key && (await destinationKeys.idOf(tenant, database, destination_key)),
  );
  if (wanted === null) return { items: [], total: 0 };
  const rows = await database.query(select, [organizationId, environment, wanted ?? null, type ?? null]);
  return { items: rows.slice(offset, offset + limit), total: rows.length };
};
