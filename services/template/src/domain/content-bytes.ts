import { integer, nullable } from '@stanza/runtime/table';

/** The column of each table that holds contents: how many bytes they take, null where they are older than the count. */
export const contentBytes = { bytes: nullable(integer()) };

/** A table that holds contents. */
export interface Contents {
  table: string;
  /** The last column of its primary key. */
  id: string;
  /** The columns whose bytes count. */
  columns: readonly [string, ...string[]];
}

/** The tables that hold contents. A trigger of each counts the bytes when one of the columns is written. */
export const contents: readonly Contents[] = [
  { table: 'versions', id: 'id', columns: ['blocks', 'sample_data'] },
  { table: 'template_drafts', id: 'template_id', columns: ['content'] },
  { table: 'sample_data', id: 'id', columns: ['data'] },
  { table: 'modals', id: 'id', columns: ['steps'] },
  { table: 'modal_versions', id: 'id', columns: ['blocks', 'placeholder_mapping', 'sample_data'] },
];
