import { ownerOf, type Queryable, type Tenant, type Transaction } from '@stanza/runtime';
import type { FieldRow } from '../domain/data-tables.ts';
import { fieldEntity } from './entities.ts';

/** Reads all fields of an entity in the order of their creation. */
export const fieldsOf = (tenant: Tenant, db: Queryable, entityId: string): Promise<FieldRow[]> =>
  db.orm.find(fieldEntity, {
    where: { ...ownerOf(tenant), entity_id: entityId },
    order: { created_at: 'ASC', id: 'ASC' },
  });

/** Saves a new field; the entity must be locked. */
export const insertField = async (
  tenant: Tenant,
  tx: Transaction,
  made: Omit<FieldRow, 'organization_id' | 'environment'>,
): Promise<FieldRow> => {
  const field = { ...ownerOf(tenant), ...made };
  await tx.orm.insert(fieldEntity, field);
  return field;
};

/** Changes columns of a field; the entity must be locked. */
export const changeField = async (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  changes: Partial<FieldRow>,
): Promise<void> => {
  await tx.orm.update(fieldEntity, { ...ownerOf(tenant), id }, changes);
};

/** Deletes a field with the fields inside it; the entity must be locked. */
export const removeField = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.orm.delete(fieldEntity, { ...ownerOf(tenant), id });
};
