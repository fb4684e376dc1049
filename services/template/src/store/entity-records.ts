import type { Page } from '@stanza/contracts';
import {
  type Database,
  isUniqueViolation,
  type Keyed,
  ownerOf,
  type Queryable,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import type { EntityRow } from '../domain/data-tables.ts';
import { dataEntity, sampleDataEntity, versionEntity } from './entities.ts';
import { entityKeys } from './keys.ts';
import { type NamedQuery, pageOf } from './named-list.ts';
import { once } from './once.ts';
import { atOneMoment } from './snapshot.ts';

/** Reads an entity. */
export const findEntity = (tenant: Tenant, db: Queryable, id: string): Promise<EntityRow | null> =>
  db.orm.findOneBy(dataEntity, { ...ownerOf(tenant), id });

const lock = (tenant: Tenant, tx: Transaction, id: string, mode: 'pessimistic_write' | 'for_no_key_update') =>
  tx.orm.findOne(dataEntity, { where: { ...ownerOf(tenant), id }, lock: { mode } });

/** Reads an entity and locks it and its fields against changes until the transaction ends. */
export const lockEntity = (tenant: Tenant, tx: Transaction, id: string): Promise<EntityRow | null> =>
  lock(tenant, tx, id, 'for_no_key_update');

/** Reads an entity and also locks it against new references. */
export const lockEntityToDelete = (tenant: Tenant, tx: Transaction, id: string): Promise<EntityRow | null> =>
  lock(tenant, tx, id, 'pessimistic_write');

/** Locks an entity against deletion until the transaction ends; false for an unknown one. */
export const holdEntity = async (tenant: Tenant, tx: Transaction, id: string): Promise<boolean> => {
  const held = await tx.orm.findOne(dataEntity, {
    select: { id: true },
    where: { ...ownerOf(tenant), id },
    lock: { mode: 'for_key_share' },
  });
  return held !== null;
};

/** A new entity; its key is made from its name unless given. */
export type NewEntity = Omit<EntityRow, 'organization_id' | 'environment'> & { key: string | undefined };

/** Saves a new entity. */
export const insertEntity = async (
  tenant: Tenant,
  tx: Transaction,
  { key, ...made }: NewEntity,
): Promise<EntityRow> => {
  const entity = { ...ownerOf(tenant), ...made };
  await tx.orm.insert(dataEntity, entity);
  if (key !== undefined) await entityKeys.change(tenant, tx, entity.id, key);
  return entity;
};

/**
 * Saves a new entity; a repeat of the operation returns the saved one.
 * @param check runs before the write; an error rolls back
 * @param record runs after it, in the same transaction
 */
export const insertEntityOnce = (
  tenant: Tenant,
  database: Database,
  made: NewEntity,
  { check, record }: Record<'check' | 'record', (tx: Transaction) => Promise<void>>,
): Promise<Keyed<EntityRow>> => {
  const save = async (tx: Transaction) => {
    await check(tx);
    const entity = await insertEntity(tenant, tx, made);
    await record(tx);
    return entityKeys.withKey(tenant, tx, entity);
  };
  return once(
    'entities_operation',
    () => database.transaction(save),
    () =>
      atOneMoment(database, async (tx) => {
        const madeBy = { ...ownerOf(tenant), operation_id: made.operation_id };
        return entityKeys.withKey(tenant, tx, await tx.orm.findOneByOrFail(dataEntity, madeBy));
      }),
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

/** The number of references to an entity, by kind. */
export interface EntityUses {
  versions: number;
  sampleData: number;
}

/** Counts the references to an entity. */
export const usesOfEntity = async (tenant: Tenant, tx: Transaction, id: string): Promise<EntityUses> => {
  const referring = { ...ownerOf(tenant), entity_id: id };
  return {
    versions: await tx.orm.countBy(versionEntity, referring),
    sampleData: await tx.orm.countBy(sampleDataEntity, referring),
  };
};

/** Lists entities; page and total come from one snapshot. */
export const pageOfEntities = (
  tenant: Tenant,
  database: Database,
  query: NamedQuery,
): Promise<Page<Keyed<EntityRow>>> =>
  atOneMoment(database, async (tx) => {
    const all = tx.orm.createQueryBuilder(dataEntity, 'entity').where(ownerOf(tenant));
    const { items, total } = await pageOf(all, query, 'entity_keys');
    return { items: await entityKeys.withKeys(tenant, tx, items), total };
  });
