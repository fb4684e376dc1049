import type { Block, ModalVersion } from '@stanza/contracts';
import type { Keyed } from '@stanza/runtime';
import {
  check,
  integer,
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

/** One of the views of a modal with steps. */
export interface StepRow {
  title: string;
  /** Null for the label of the modal. */
  submit_label: string | null;
  blocks: Block[];
}

/** A modal: its labels, its steps, and its active version. */
export const modals = table('modals', {
  columns: {
    ...tenant,
    id: uuid(),
    operation_id: uuid(),
    name: text(),
    description: nullable(text()),
    title: text(),
    submit_label: nullable(text()),
    close_label: nullable(text()),
    /** Null: one view, of the active version's blocks. */
    steps: nullable(json<StepRow[]>()),
    /** Who has written the steps, since there are any; null for none. */
    steps_authors: nullable(json<string[]>()),
    /** Who has written title and labels, which the first active version brings along; null for whoever created it. */
    settings_authors: nullable(json<string[]>()),
    /** The active version. */
    current_version_id: nullable(uuid()),
    /** Number of the newest version; counted under the row's lock, so that numbers have no gaps. */
    last_version_number: integer(),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  filledColumns: contentBytes,
  primaryKey: { columns: ofTenant('id') },
  uniques: [{ name: 'modals_operation', columns: ofTenant('operation_id') }],
  indices: [
    { name: 'modals_created_at', columns: ofTenant('created_at', 'id') },
    { name: 'modals_updated_at', columns: ofTenant('updated_at', 'id') },
    // By the name in lower case, which TypeORM cannot express.
    { name: 'modals_name', columns: ofTenant('name'), synchronize: false },
  ],
  checks: [check('modals_environment', "environment in ('production', 'preview')")],
  foreignKeys: [referenceTo('modal_versions', 'modals_current_version', 'current_version_id')],
});

/** A row of {@link modals}. */
export type ModalRow = RowOf<typeof modals>;

/** A version of a modal. Its content never changes. */
export const modalVersions = table('modal_versions', {
  columns: {
    ...tenant,
    id: uuid(),
    modal_id: uuid(),
    operation_id: uuid(),
    version_number: integer(),
    blocks: json<Block[]>(),
    /** Name of a placeholder -> path in the data that it reads. */
    placeholder_mapping: nullable(json<Record<string, string>>()),
    sample_data: nullable(json<Record<string, unknown>>()),
    status: text<ModalVersion['status']>(),
    /** The operation that last made it active, so that a repeat changes nothing. */
    activation_operation_id: nullable(uuid()),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  filledColumns: contentBytes,
  primaryKey: { columns: ofTenant('id') },
  uniques: [
    { name: 'modal_versions_number', columns: ofTenant('modal_id', 'version_number') },
    { name: 'modal_versions_operation', columns: ofTenant('operation_id') },
  ],
  indices: [
    { name: 'modal_versions_bytes', columns: ['organization_id'], synchronize: false },
    {
      name: 'modal_versions_active',
      columns: ofTenant('modal_id'),
      unique: true,
      where: "status = 'active'",
    },
  ],
  checks: [
    check('modal_versions_counted', 'version_number > 0'),
    check('modal_versions_status', "status in ('draft', 'active', 'inactive')"),
  ],
  foreignKeys: [partOf('modals', 'modal_versions_modal', 'modal_id')],
});

/** A row of {@link modalVersions}. */
export type ModalVersionRow = RowOf<typeof modalVersions>;

/** A version without its content. */
export type ModalVersionFacts = Omit<ModalVersionRow, 'blocks' | 'placeholder_mapping' | 'sample_data'>;

/** A modal as a list has it. */
export type ListedModalRow = Keyed<ModalRow> & { readonly newest: ModalVersionFacts | undefined };

/** A modal opened by a version of a template. */
export const modalReferences = table('modal_references', {
  columns: {
    ...tenant,
    version_id: uuid(),
    modal_id: uuid(),
    template_id: uuid(),
  },
  primaryKey: { columns: ofTenant('version_id', 'modal_id') },
  indices: [{ name: 'modal_references_modal', columns: ofTenant('modal_id') }],
  foreignKeys: [partOf('versions', 'modal_references_version', 'version_id')],
});

/** A row of {@link modalReferences}. */
export type ModalReferenceRow = RowOf<typeof modalReferences>;
