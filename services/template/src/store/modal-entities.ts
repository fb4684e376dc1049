import {
  integer,
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
import type { ModalReferenceRow, ModalRow, ModalVersionRow } from '../domain/modal-rows.ts';

/** See {@link ModalRow}. */
export const modalEntity = new EntitySchema<ModalRow>({
  name: 'modals',
  columns: {
    ...tenant,
    operation_id: uuid,
    name: text,
    description: { ...text, ...nullable },
    title: text,
    submit_label: { ...text, ...nullable },
    close_label: { ...text, ...nullable },
    steps: { ...json, ...nullable },
    current_version_id: { ...uuid, ...nullable },
    last_version_number: integer,
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
  uniques: [{ name: 'modals_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'modals_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'modals_updated_at', columns: ofTenant('updated_at', 'id') },
    // By the name in lower case, which the ORM cannot say.
    { name: 'modals_name', columns: ofTenant('name'), synchronize: false },
  ],
  checks: [{ name: 'modals_environment', expression: "environment in ('production', 'preview')" }],
  foreignKeys: [referenceTo('modal_versions', 'modals_current_version', 'current_version_id')],
});

/** See {@link ModalVersionRow}. */
export const modalVersionEntity = new EntitySchema<ModalVersionRow>({
  name: 'modal_versions',
  columns: {
    ...tenant,
    modal_id: uuid,
    operation_id: uuid,
    version_number: integer,
    blocks: json,
    placeholder_mapping: { ...json, ...nullable },
    sample_data: { ...json, ...nullable },
    status: text,
    activation_operation_id: { ...uuid, ...nullable },
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
  uniques: [
    { name: 'modal_versions_number', columns: ofTenant('modal_id', 'version_number') },
    { name: 'modal_versions_operation', columns: ofTenant('operation_id') },
  ],
  indices: [
    {
      name: 'modal_versions_active',
      columns: ofTenant('modal_id'),
      unique: true,
      where: "status = 'active'",
    },
  ],
  checks: [
    { name: 'modal_versions_counted', expression: 'version_number > 0' },
    { name: 'modal_versions_status', expression: "status in ('draft', 'active', 'inactive')" },
  ],
  foreignKeys: [partOf('modals', 'modal_versions_modal', 'modal_id')],
});

/** See {@link ModalReferenceRow}. */
export const modalReferenceEntity = new EntitySchema<ModalReferenceRow>({
  name: 'modal_references',
  columns: {
    organization_id: tenant.organization_id,
    environment: tenant.environment,
    version_id: { ...uuid, primary: true },
    modal_id: { ...uuid, primary: true },
    template_id: uuid,
  },
  indices: [{ name: 'modal_references_modal', columns: ofTenant('modal_id') }],
  foreignKeys: [partOf('versions', 'modal_references_version', 'version_id')],
});
