import type { CountedContents } from '@stanza/runtime';
import { integer, nullable } from '@stanza/runtime/table';

/** The column of each table that holds contents: how many bytes they take, null where they are older than the count. */
export const contentBytes = { bytes: nullable(integer()) };

/** The tables that hold contents. A trigger of each counts the bytes when one of the columns is written. */
export const contents: readonly CountedContents[] = [
  { table: 'versions', id: 'id', columns: ['blocks', 'sample_data'] },
  { table: 'template_drafts', id: 'template_id', columns: ['content'] },
  { table: 'sample_data', id: 'id', columns: ['data'] },
  { table: 'modals', id: 'id', columns: ['steps'] },
  { table: 'modal_versions', id: 'id', columns: ['blocks', 'placeholder_mapping', 'sample_data'] },
];
