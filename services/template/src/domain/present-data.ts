import type { Entity, EntityField, EntityWithFields, SampleData, SampleDataSummary } from '@stanza/contracts';
import type { Keyed } from '@stanza/runtime';
import type { EntityRow, FieldRow, SampleDataFacts, SampleDataRow } from './data-tables.ts';
import { type FieldNode, fieldTree, flatten } from './field-tree.ts';

/** An entity as lists show it. */
export const presentEntity = (row: Keyed<EntityRow>): Entity => ({
  id: row.id,
  organization_id: row.organization_id,
  key: row.key,
  name: row.name,
  description: row.description,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const presentNode = ({ field, path }: FieldNode<FieldRow>): EntityField => ({
  id: field.id,
  entity_id: field.entity_id,
  parent_field_id: field.parent_field_id,
  name: field.name,
  path,
  label: field.label,
  type: field.type,
  description: field.description,
  required: field.required,
  created_at: field.created_at.toISOString(),
  updated_at: field.updated_at.toISOString(),
});

/** The fields of an entity, each before those inside it. */
export const presentFields = (fields: readonly FieldRow[]): EntityField[] =>
  flatten(fieldTree(fields)).map(presentNode);

/** An entity with its fields. */
export const presentEntityWithFields = (
  row: Keyed<EntityRow>,
  fields: readonly FieldRow[],
): EntityWithFields => ({
  ...presentEntity(row),
  fields: presentFields(fields),
});

/**
 * A field as the API shows it.
 * @param fields those of its entity
 */
export const presentField = (field: FieldRow, fields: readonly FieldRow[]): EntityField => {
  const node = flatten(fieldTree(fields)).find((it) => it.field.id === field.id);
  return presentNode({ field, path: node?.path ?? field.name, fields: [] });
};

/** Sample data as lists show it. */
export const presentSampleDataSummary = (row: SampleDataFacts): SampleDataSummary => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  description: row.description,
  template_id: row.template_id,
  entity_id: row.entity_id,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Sample data as the API shows it. */
export const presentSampleData = (row: SampleDataRow): SampleData => ({
  ...presentSampleDataSummary(row),
  data: row.data,
});
