import type { Block, Environment, ModalVersion } from '@stanza/contracts';

/** One of the views of a modal with steps. */
export interface StepRow {
  title: string;
  /** Null where the label of the modal is meant. */
  submit_label: string | null;
  blocks: Block[];
}

/** A modal: what is said around its views, its steps, and which of its versions is active. */
export interface ModalRow {
  organization_id: string;
  environment: Environment;
  id: string;
  operation_id: string;
  name: string;
  description: string | null;
  title: string;
  submit_label: string | null;
  close_label: string | null;
  /** Null: one view, of the blocks of the active version. */
  steps: StepRow[] | null;
  /** The active version. */
  current_version_id: string | null;
  /** Number of the newest version; counted under the row's lock, so that numbers have no gaps. */
  last_version_number: number;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** A version of a modal. Its content never changes. */
export interface ModalVersionRow {
  organization_id: string;
  environment: Environment;
  id: string;
  modal_id: string;
  operation_id: string;
  version_number: number;
  blocks: Block[];
  /** Name of a placeholder -> path in the data that it reads. */
  placeholder_mapping: Record<string, string> | null;
  sample_data: Record<string, unknown> | null;
  status: ModalVersion['status'];
  /** The operation that made it active last, so that the same one asked for twice does so once. */
  activation_operation_id: string | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** That a version of a template opens a modal. */
export interface ModalReferenceRow {
  organization_id: string;
  environment: Environment;
  template_id: string;
  version_id: string;
  modal_id: string;
}
