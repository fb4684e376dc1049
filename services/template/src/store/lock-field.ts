import { notFound } from '@stanza/contracts';
import type { Tenant, Transaction } from '@stanza/runtime';
import type { EntityRow, FieldRow } from '../domain/data-tables.ts';
import { fieldsOf } from './entity-fields.ts';
import { lockEntity } from './entity-records.ts';

/** A field of a locked entity, with all the entity's fields. */
export interface LockedField {
  entity: EntityRow;
  fields: FieldRow[];
  field: FieldRow;
}

/**
 * Locks the entity of a field, and reads the field.
 * @throws CodedError `not_found` for an unknown entity or field
 */
export const lockField = async (
  tenant: Tenant,
  tx: Transaction,
  named: { id: string; field_id: string },
): Promise<LockedField> => {
  const entity = await lockEntity(tenant, tx, named.id);
  if (!entity) throw notFound('entity');
  const fields = await fieldsOf(tenant, tx, entity.id);
  const field = fields.find(({ id }) => id === named.field_id.toLowerCase());
  if (!field) throw notFound('field');
  return { entity, fields, field };
};
