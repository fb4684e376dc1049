import type { FieldType } from '@stanza/contracts';
import {
  boolean,
  check,
  json,
  nullable,
  ofTenant,
  partOf,
  type RowOf,
  referenceTo,
  table,
  tenant,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/table';
import { contentBytes } from './content-bytes.ts';

/** An entity: a description of template data by fields. */
export const dataEntities = table('entities', {
  columns: {
    ...tenant,
    id: uuid(),
    operation_id: uuid(),
    name: text(),
    description: nullable(text()),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  primaryKey: { columns: ofTenant('id') },
  uniques: [{ name: 'entities_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'entities_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'entities_updated_at', columns: ofTenant('updated_at', 'id') },
    // By the name in lower case, which TypeORM cannot express.
    { name: 'entities_name', columns: ofTenant('name'), synchronize: false },
    // By the trigrams of name and description.
    { name: 'entities_search', columns: ['name'], synchronize: false },
  ],
  checks: [check('entities_environment', "environment in ('production', 'preview')")],
});

/** A row of {@link dataEntities}. */
export type EntityRow = RowOf<typeof dataEntities>;

/** A field of an entity, or of another field of it. */
export const entityFields = table('entity_fields', {
  columns: {
    ...tenant,
    id: uuid(),
    operation_id: uuid(),
    entity_id: uuid(),
    /** The object or list of objects that contains it; null at the top. */
    parent_field_id: nullable(uuid()),
    /** The key in the data. */
    name: text(),
    /** Display name. */
    label: nullable(text()),
    type: text<FieldType>(),
    description: nullable(text()),
    required: boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  primaryKey: { columns: ofTenant('id') },
  uniques: [
    { name: 'entity_fields_operation', columns: ofTenant('operation_id') },
    { name: 'entity_fields_name', columns: ofTenant('entity_id', 'parent_field_id', 'name') },
  ],
  indices: [{ name: 'entity_fields_parent', columns: ofTenant('parent_field_id') }],
  checks: [check('entity_fields_type', "type in ('string', 'number', 'boolean', 'date', 'array', 'object')")],
  foreignKeys: [
    partOf('entities', 'entity_fields_entity', 'entity_id'),
    partOf('entity_fields', 'entity_fields_parent_field', 'parent_field_id'),
  ],
});

/** A row of {@link entityFields}. */
export type FieldRow = RowOf<typeof entityFields>;

/** Sample data for templates. */
export const sampleData = table('sample_data', {
  columns: {
    ...tenant,
    id: uuid(),
    operation_id: uuid(),
    name: text(),
    description: nullable(text()),
    data: json<Record<string, unknown>>(),
    template_id: nullable(uuid()),
    /** Describes the data, which matched it when it was saved. */
    entity_id: nullable(uuid()),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  filledColumns: contentBytes,
  primaryKey: { columns: ofTenant('id') },
  uniques: [{ name: 'sample_data_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'sample_data_bytes', columns: ['organization_id'], synchronize: false },
    { name: 'sample_data_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'sample_data_updated_at', columns: ofTenant('updated_at', 'id') },
    { name: 'sample_data_template', columns: ofTenant('template_id', 'created_at', 'id') },
    { name: 'sample_data_entity', columns: ofTenant('entity_id', 'created_at', 'id') },
    // By the name in lower case, which TypeORM cannot express.
    { name: 'sample_data_name', columns: ofTenant('name'), synchronize: false },
  ],
  checks: [check('sample_data_environment', "environment in ('production', 'preview')")],
  foreignKeys: [
    { ...referenceTo('templates', 'sample_data_template_fkey', 'template_id'), onDelete: 'SET NULL' },
    referenceTo('entities', 'sample_data_entity_fkey', 'entity_id'),
  ],
});

/** A row of {@link sampleData}. */
export type SampleDataRow = RowOf<typeof sampleData>;

/** Sample data without its data. */
export type SampleDataFacts = Omit<SampleDataRow, 'data'>;
