import {
  boolean,
  integer,
  json,
  key,
  nullable,
  ofTenant,
  partOf,
  referenceTo,
  tenant,
  tenantKey,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { ActivationRow, TemplateArchival, TemplateRow, VersionRow } from '../domain/rows.ts';
import { dataEntity, fieldEntity, sampleDataEntity } from './data-entities.ts';
import { modalEntity, modalReferenceEntity, modalVersionEntity } from './modal-entities.ts';

/** See {@link TemplateRow}. */
export const templateEntity = new EntitySchema<TemplateRow>({
  name: 'templates',
  columns: {
    ...tenant,
    operation_id: uuid,
    name: text,
    description: { ...text, ...nullable },
    type: text,
    user_name: { ...text, ...nullable },
    icon_emoji: { ...text, ...nullable },
    fallback_text: { ...text, ...nullable },
    locale: { ...text, ...nullable },
    timezone: { ...text, ...nullable },
    strict: { ...boolean, default: false },
    current_version_id: { ...uuid, ...nullable },
    current_version_number: { ...integer, ...nullable },
    last_version_number: integer,
    activation_count: { ...integer, default: 0 },
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
    archived_at: { ...timestamp, ...nullable },
  },
  uniques: [{ name: 'templates_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'templates_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'templates_updated_at', columns: ofTenant('updated_at', 'id') },
    // By the name in lower case, which the ORM cannot say.
    { name: 'templates_name', columns: ofTenant('name'), synchronize: false },
    // By the trigrams of name and description.
    { name: 'templates_search', columns: ['name'], synchronize: false },
  ],
  checks: [
    { name: 'templates_environment', expression: "environment in ('production', 'preview')" },
    {
      name: 'templates_live_number',
      expression: '(current_version_id is null) = (current_version_number is null)',
    },
  ],
  foreignKeys: [referenceTo('versions', 'templates_current_version', 'current_version_id')],
});

/** See {@link TemplateArchival}. */
export const templateArchivalEntity = new EntitySchema<TemplateArchival>({
  name: 'template_archivals',
  columns: {
    ...tenantKey('template_archivals_pk'),
    template_id: key(uuid, 'template_archivals_pk'),
    last_archived_at: timestamp,
  },
  foreignKeys: [partOf('templates', 'template_archivals_template', 'template_id')],
});

/** See {@link VersionRow}. */
export const versionEntity = new EntitySchema<VersionRow>({
  name: 'versions',
  columns: {
    ...tenant,
    template_id: uuid,
    operation_id: uuid,
    version_number: integer,
    blocks: json,
    sample_data: { ...json, ...nullable },
    request_format: json,
    entity_id: { ...uuid, ...nullable },
    note: { ...text, ...nullable },
    created_by: text,
    created_at: timestamp,
    first_live_at: { ...timestamp, ...nullable },
  },
  uniques: [
    { name: 'versions_number', columns: ofTenant('template_id', 'version_number') },
    { name: 'versions_operation', columns: ofTenant('operation_id') },
  ],
  checks: [{ name: 'versions_counted', expression: 'version_number > 0' }],
  indices: [{ name: 'versions_entity', columns: ofTenant('entity_id'), where: 'entity_id is not null' }],
  foreignKeys: [
    partOf('templates', 'versions_template', 'template_id'),
    referenceTo('entities', 'versions_entity_fkey', 'entity_id'),
  ],
});

/** See {@link ActivationRow}. */
export const activationEntity = new EntitySchema<ActivationRow>({
  name: 'activations',
  columns: {
    ...tenant,
    template_id: uuid,
    operation_id: uuid,
    activation_number: integer,
    version_id: uuid,
    version_number: integer,
    previous_version_id: { ...uuid, ...nullable },
    activated_by: text,
    source: text,
    note: { ...text, ...nullable },
    created_at: timestamp,
  },
  uniques: [
    { name: 'activations_number', columns: ofTenant('template_id', 'activation_number') },
    { name: 'activations_operation', columns: ofTenant('operation_id') },
  ],
  checks: [
    { name: 'activations_counted', expression: 'activation_number > 0' },
    { name: 'activations_source', expression: "source in ('web', 'api', 'migration')" },
  ],
  foreignKeys: [partOf('templates', 'activations_template', 'template_id')],
});

/** All entities of the service. */
export const entities = [
  templateEntity,
  templateArchivalEntity,
  versionEntity,
  activationEntity,
  dataEntity,
  fieldEntity,
  sampleDataEntity,
  modalEntity,
  modalVersionEntity,
  modalReferenceEntity,
] as const;
