import type { Page } from '@stanza/contracts';
import {
  type Database,
  isUniqueViolation,
  type Queryable,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { EntityRow } from '../domain/data-rows.ts';
import { dataEntity, sampleDataEntity } from './data-entities.ts';
import { versionEntity } from './entities.ts';
import { type NamedQuery, pageOf } from './named-list.ts';
import { once } from './once.ts';
import { ownerOf } from './owner.ts';
import { atOneMoment } from './snapshot.ts';

/** Reads an entity. */
export const findEntity = (tenant: Tenant, db: Queryable, id: string): Promise<EntityRow | null> =>
  db.orm.findOneBy(dataEntity, { ...ownerOf(tenant), id });

const lock = (tenant: Tenant, tx: Transaction, id: string, mode: 'pessimistic_write' | 'for_no_key_update') =>
  tx.orm.findOne(dataEntity, { where: { ...ownerOf(tenant), id }, lock: { mode } });

/** Reads an entity and keeps everybody else from changing it or its fields until the transaction ends. */
export const lockEntity = (tenant: Tenant, tx: Transaction, id: string): Promise<EntityRow | null> =>
  lock(tenant, tx, id, 'for_no_key_update');

/** Reads an entity and keeps everybody else from referring to it, too. */
export const lockEntityToDelete = (tenant: Tenant, tx: Transaction, id: string): Promise<EntityRow | null> =>
  lock(tenant, tx, id, 'pessimistic_write');

/** Keeps an entity from being deleted until the transaction ends; false when there is none. */
export const holdEntity = async (tenant: Tenant, tx: Transaction, id: string): Promise<boolean> => {
  const held = await tx.orm.findOne(dataEntity, {
    select: { id: true },
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'for_key_share' },
  });
  return held !== null;
};

/** Saves a new entity; if its operation has done so before, answers what it saved then. */
export const insertEntityOnce = (
  tenant: Tenant,
  database: Database,
  made: Omit<EntityRow, 'organization_id' | 'environment'>,
  record: (tx: Transaction) => Promise<void>,
): Promise<EntityRow> => {
  const entity = { ...ownerOf(tenant), ...made };
  const save = async (tx: Transaction) => {
    await tx.orm.insert(dataEntity, entity);
    await record(tx);
    return entity;
  };
  return once(
    'entities_operation',
    () => database.transaction(save),
    () => database.orm.findOneByOrFail(dataEntity, { ...ownerOf(tenant), operation_id: entity.operation_id }),
  );
};

/** True when another entity has the name already. */
export const isEntityNameTaken = (error: unknown): boolean => isUniqueViolation(error, 'entities_name');

/** Changes columns of an entity. */
export const changeEntity = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<EntityRow>,
): Promise<void> => {
  await tx.orm.update(dataEntity, { ...ownerOf(tenant), id }, changes);
};

/** Deletes an entity with its fields. */
export const removeEntity = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.orm.delete(dataEntity, { ...ownerOf(tenant), id });
};

/** What refers to an entity: how much, by kind. */
export interface EntityUses {
  versions: number;
  sampleData: number;
}

/** Counts what refers to an entity. */
export const usesOfEntity = async (tenant: Tenant, tx: Transaction, id: string): Promise<EntityUses> => {
  const referring = { ...ownerOf(tenant), entity_id: id };
  return {
    versions: await tx.orm.countBy(versionEntity, referring),
    sampleData: await tx.orm.countBy(sampleDataEntity, referring),
  };
};

/** Lists entities; page and total are of the same moment. */
export const pageOfEntities = (
  tenant: Tenant,
  database: Database,
  query: NamedQuery,
): Promise<Page<EntityRow>> =>
  atOneMoment(database, ({ orm }) =>
    pageOf(orm.createQueryBuilder(dataEntity, 'entity').where(ownerOf(tenant)), query),
  );
