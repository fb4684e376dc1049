import type { InputOf, listDestinations, Page } from '@stanza/contracts';
import {
  type Database,
  entityOf,
  findRow,
  isUniqueViolation,
  type Keyed,
  ownerOf,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { type DestinationRow, destinations } from '../destination-tables.ts';
import { destinationKeys } from './destination-keys.ts';

/** The entity of {@link destinations}. */
export const destinationEntity = entityOf(destinations);

/** The filters, order and page of a list of destinations. */
export type DestinationQuery = InputOf<typeof listDestinations>['query'];

/** Reads a destination. */
export const findDestination = (tenant: Tenant, db: Queryable, id: string): Promise<DestinationRow | null> =>
  db.orm.findOneBy(destinationEntity, { ...ownerOf(tenant), id });

const marked = "deleting_at > clock_timestamp() - interval '1 minute'";

const referable = statement<Pick<DestinationRow, 'id' | 'name' | 'is_active'>>(
  'destination-referable',
  `select id, name, is_active
   from destinations
   where organization_id = $1 and environment = $2 and id = $3 and (${marked}) is not true`,
);

/**
 * Reads a destination that something new may refer to. One statement decides: between two the destination may be gone, and
 * its mark with it.
 */
export const findReferable = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  id: string,
): Promise<Pick<DestinationRow, 'id' | 'name' | 'is_active'> | undefined> =>
  findRow(db, referable, [organizationId, environment, id]);

const mark = statement<{ deleting_at: Date }>(
  'destination-mark',
  `update destinations
   set deleting_at = clock_timestamp()
   where organization_id = $1 and environment = $2 and id = $3
   returning deleting_at`,
);

/** Marks a destination as being deleted; undefined where it is gone. */
export const markForDeletion = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  id: string,
): Promise<Date | undefined> => (await db.query(mark, [organizationId, environment, id])).at(0)?.deleting_at;

const unmark = statement<Record<string, never>>(
  'destination-unmark',
  `update destinations
   set deleting_at = null
   where organization_id = $1 and environment = $2 and id = $3 and deleting_at = $4`,
);

/** Takes the mark of a deletion away that was refused. */
export const unmarkForDeletion = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  id: string,
  at: Date,
): Promise<void> => {
  await db.query(unmark, [organizationId, environment, id, at]);
};

/** Reads a destination with its key, by its id or by the operation that has made it. */
export const findKeyedDestination = (
  tenant: Tenant,
  database: Database,
  named: { id: string } | { operation_id: string },
): Promise<Keyed<DestinationRow> | null> =>
  database.transaction(
    async (tx) => {
      const row = await tx.orm.findOneBy(destinationEntity, { ...ownerOf(tenant), ...named });
      return row && destinationKeys.withKey(tenant, tx, row);
    },
    { isolation: 'REPEATABLE READ' },
  );

const lock = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  mode: 'pessimistic_write' | 'for_no_key_update',
): Promise<DestinationRow | null> =>
  tx.orm.findOne(destinationEntity, { where: { ...ownerOf(tenant), id }, lock: { mode } });

/**
 * Reads a destination and locks it against changes until the transaction ends. New deliveries to it, which only need it to
 * stay, do not wait.
 */
export const lockDestination = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<DestinationRow | null> => lock(tenant, tx, id, 'for_no_key_update');

/** Reads a destination and locks it for its deletion: new deliveries to it wait. */
export const lockForDeletion = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<DestinationRow | null> => lock(tenant, tx, id, 'pessimistic_write');

/**
 * Saves a new destination; a repeat of the operation returns the saved one.
 * @param check runs before the write; an error rolls back
 * @param record runs after it, in the same transaction
 */
export const insertDestinationOnce = async (
  tenant: Tenant,
  database: Database,
  { key, ...made }: Omit<DestinationRow, 'organization_id' | 'environment'> & { key: string | undefined },
  { check, record }: Record<'check' | 'record', (tx: Transaction) => Promise<void>>,
): Promise<Keyed<DestinationRow>> => {
  const row = { ...ownerOf(tenant), ...made };
  try {
    return await database.transaction(async (tx) => {
      await check(tx);
      await tx.orm.insert(destinationEntity, row);
      if (key !== undefined) await destinationKeys.change(tenant, tx, row.id, key);
      const saved = await destinationKeys.withKey(tenant, tx, row);
      await record(tx);
      return saved;
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'destinations_operation')) throw error;
    const { operation_id } = row;
    const before = await findKeyedDestination(tenant, database, { operation_id });
    if (!before) throw error;
    return before;
  }
};

/** Writes some values of a locked destination. */
export const writeDestination = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<Omit<DestinationRow, 'organization_id' | 'environment' | 'id'>>,
): Promise<void> => {
  await tx.orm.update(destinationEntity, { ...ownerOf(tenant), id }, changes);
};

/** Deletes a destination with its deliveries. */
export const removeDestination = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.orm.delete(destinationEntity, { ...ownerOf(tenant), id });
};

/** Lists destinations; page and total come from one snapshot. */
export const pageOfDestinations = (
  tenant: Tenant,
  database: Database,
  { key, is_active, sort, limit, offset }: DestinationQuery,
): Promise<Page<Keyed<DestinationRow>>> =>
  database.transaction(
    async (tx) => {
      const id = key === undefined ? undefined : await destinationKeys.idOf(tenant, tx, key);
      if (key !== undefined && id === undefined) return { items: [], total: 0 };
      const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
      const [items, total] = await tx.orm
        .createQueryBuilder(destinationEntity, 'destination')
        .where({
          ...ownerOf(tenant),
          ...(id !== undefined && { id }),
          ...(is_active !== undefined && { is_active: is_active === 'true' }),
        })
        .orderBy(`destination.${sort.replace('-', '')}`, direction)
        .addOrderBy('destination.id', direction)
        .limit(limit)
        .offset(offset)
        .getManyAndCount();
      return { items: await destinationKeys.withKeys(tenant, tx, items), total };
    },
    { isolation: 'REPEATABLE READ' },
  );
