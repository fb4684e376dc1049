import {
  boolean,
  json,
  nullable,
  ofTenant,
  partOf,
  referenceTo,
  tenant,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { EntityRow, FieldRow, SampleDataRow } from '../domain/data-rows.ts';

/** See {@link EntityRow}. */
export const dataEntity = new EntitySchema<EntityRow>({
  name: 'entities',
  columns: {
    ...tenant,
    operation_id: uuid,
    name: text,
    description: { ...text, ...nullable },
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
  uniques: [{ name: 'entities_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'entities_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'entities_updated_at', columns: ofTenant('updated_at', 'id') },
    // By the name in lower case, which the ORM cannot say.
    { name: 'entities_name', columns: ofTenant('name'), synchronize: false },
    // By the trigrams of name and description.
    { name: 'entities_search', columns: ['name'], synchronize: false },
  ],
  checks: [{ name: 'entities_environment', expression: "environment in ('production', 'preview')" }],
});

/** See {@link FieldRow}. */
export const fieldEntity = new EntitySchema<FieldRow>({
  name: 'entity_fields',
  columns: {
    ...tenant,
    operation_id: uuid,
    entity_id: uuid,
    parent_field_id: { ...uuid, ...nullable },
    name: text,
    label: { ...text, ...nullable },
    type: text,
    description: { ...text, ...nullable },
    required: boolean,
    created_at: timestamp,
    updated_at: timestamp,
  },
  uniques: [
    { name: 'entity_fields_operation', columns: ofTenant('operation_id') },
    { name: 'entity_fields_name', columns: ofTenant('entity_id', 'parent_field_id', 'name') },
  ],
  indices: [{ name: 'entity_fields_parent', columns: ofTenant('parent_field_id') }],
  checks: [
    {
      name: 'entity_fields_type',
      expression: "type in ('string', 'number', 'boolean', 'date', 'array', 'object')",
    },
  ],
  foreignKeys: [
    partOf('entities', 'entity_fields_entity', 'entity_id'),
    partOf('entity_fields', 'entity_fields_parent_field', 'parent_field_id'),
  ],
});

/** See {@link SampleDataRow}. */
export const sampleDataEntity = new EntitySchema<SampleDataRow>({
  name: 'sample_data',
  columns: {
    ...tenant,
    operation_id: uuid,
    name: text,
    description: { ...text, ...nullable },
    data: json,
    template_id: { ...uuid, ...nullable },
    entity_id: { ...uuid, ...nullable },
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
  uniques: [{ name: 'sample_data_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'sample_data_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'sample_data_updated_at', columns: ofTenant('updated_at', 'id') },
    { name: 'sample_data_template', columns: ofTenant('template_id', 'created_at', 'id') },
    { name: 'sample_data_entity', columns: ofTenant('entity_id', 'created_at', 'id') },
    // By the name in lower case, which the ORM cannot say.
    { name: 'sample_data_name', columns: ofTenant('name'), synchronize: false },
  ],
  checks: [{ name: 'sample_data_environment', expression: "environment in ('production', 'preview')" }],
  foreignKeys: [
    { ...referenceTo('templates', 'sample_data_template_fkey', 'template_id'), onDelete: 'SET NULL' },
    referenceTo('entities', 'sample_data_entity_fkey', 'entity_id'),
  ],
});
