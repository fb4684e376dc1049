import type { ListedModal, Modal, ModalSummary, ModalVersion } from '@stanza/contracts';
import type { Keyed } from '@stanza/runtime';
import type { ListedModalRow, ModalRow, ModalVersionFacts, ModalVersionRow } from './modal-tables.ts';

/** A version of a modal without its content. */
const presentFacts = (row: ModalVersionFacts) => ({
  id: row.id,
  modal_definition_id: row.modal_id,
  version_number: row.version_number,
  status: row.status,
  is_current: row.status === 'active',
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A version of a modal as lists show it. */
export const presentModalVersionSummary = (row: Omit<ModalVersionRow, 'sample_data'>): ModalVersion => ({
  ...presentFacts(row),
  blocks: row.blocks,
  placeholder_mapping: row.placeholder_mapping,
});

/** A version of a modal as the API shows it. */
export const presentModalVersion = (row: ModalVersionRow): ModalVersion => ({
  ...presentModalVersionSummary(row),
  sample_data: row.sample_data,
});

/** A modal without its versions. */
export const presentModalSummary = (row: Keyed<ModalRow>): ModalSummary => ({
  id: row.id,
  organization_id: row.organization_id,
  key: row.key,
  name: row.name,
  description: row.description,
  title: row.title,
  submit_label: row.submit_label,
  close_label: row.close_label,
  current_version_id: row.current_version_id,
  is_multi_step: row.steps !== null,
  steps: row.steps?.map(({ title, submit_label }) => ({ title, submit_label })) ?? null,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** A modal in a list. */
export const presentListedModal = ({ newest, ...row }: ListedModalRow): ListedModal => ({
  ...presentModalSummary(row),
  ...(newest && { newest_version: presentFacts(newest) }),
});

/** A modal with its active version. */
export const presentModal = (row: Keyed<ModalRow>, current: ModalVersionRow | null): Modal => ({
  ...presentModalSummary(row),
  steps: row.steps,
  current_version: current && presentModalVersion(current),
});
