import type { Environment, InputOf, listDestinations, Page } from '@stanza/contracts';
import {
  type Database,
  isUniqueViolation,
  type Queryable,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { DestinationRow } from '../destination-rows.ts';
import { destinationEntity } from './destination-entities.ts';

/** The filters, order and page of a list of destinations. */
export type DestinationQuery = InputOf<typeof listDestinations>['query'];

const ownerOf = (tenant: Tenant): { organization_id: string; environment: Environment } => ({
  organization_id: tenant.organizationId,
  environment: tenant.environment,
});

/** Reads a destination. */
export const findDestination = (tenant: Tenant, db: Queryable, id: string): Promise<DestinationRow | null> =>
  db.orm.findOneBy(destinationEntity, { ...ownerOf(tenant), id });

/** Reads a destination and keeps everybody else from changing it until the transaction ends. */
export const lockDestination = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
): Promise<DestinationRow | null> =>
  tx.orm.findOne(destinationEntity, {
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'pessimistic_write' },
  });

/**
 * Saves a new destination; if its operation has done so before, answers what it saved then.
 * @param record runs after it, in the same transaction
 */
export const insertDestinationOnce = async (
  tenant: Tenant,
  database: Database,
  made: Omit<DestinationRow, 'organization_id' | 'environment'>,
  record: (tx: Transaction) => Promise<void>,
): Promise<DestinationRow> => {
  const row = { ...ownerOf(tenant), ...made };
  try {
    await database.transaction(async (tx) => {
      await tx.orm.insert(destinationEntity, row);
      await record(tx);
    });
    return row;
  } catch (error) {
    if (!isUniqueViolation(error, 'destinations_operation')) throw error;
    const { operation_id } = row;
    return database.orm.findOneByOrFail(destinationEntity, { ...ownerOf(tenant), operation_id });
  }
};

/** Writes some values of a destination that is locked. */
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

/** Lists destinations; page and total are of the same moment. */
export const pageOfDestinations = (
  tenant: Tenant,
  database: Database,
  { is_active, sort, limit, offset }: DestinationQuery,
): Promise<Page<DestinationRow>> =>
  database.transaction(
    async ({ orm }) => {
      const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
      const [items, total] = await orm
        .createQueryBuilder(destinationEntity, 'destination')
        .where({ ...ownerOf(tenant), ...(is_active !== undefined && { is_active: is_active === 'true' }) })
        .orderBy(`destination.${sort.replace('-', '')}`, direction)
        .addOrderBy('destination.id', direction)
        .limit(limit)
        .offset(offset)
        .getManyAndCount();
      return { items, total };
    },
    { isolation: 'REPEATABLE READ' },
  );
