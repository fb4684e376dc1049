import type { DraftMetadata } from '@stanza/contracts';
import {
  check,
  integer,
  json,
  nullable,
  ofTenant,
  partOf,
  type RowOf,
  table,
  tenant,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/table';
import { contentBytes } from './content-bytes.ts';

/** What an author has written into a draft. */
export interface DraftContent {
  /** They may be wrong until the draft is saved. */
  blocks: unknown[];
  metadata: DraftMetadata;
  sample_data: Record<string, unknown> | null;
}

/** The draft of a template; versions are deleted with their template alone, so their ids need no foreign key. */
export const templateDrafts = table('template_drafts', {
  columns: {
    ...tenant,
    template_id: uuid(),
    /** One more with each change, and on from there after the draft was saved or discarded. */
    revision: integer(),
    /** Null once it was saved or discarded. */
    content: nullable(json<DraftContent>()),
    base_version_id: nullable(uuid()),
    /** The version that the draft was made, until there is another draft. */
    saved_version_id: nullable(uuid()),
    /** Who has written it since it was begun; null where a release before has begun it. */
    authors: nullable(json<string[]>()),
    updated_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  filledColumns: contentBytes,
  primaryKey: { name: 'template_drafts_pk', columns: ofTenant('template_id') },
  checks: [
    check('template_drafts_counted', 'revision > 0'),
    check('template_drafts_saved', 'content is null or saved_version_id is null'),
  ],
  foreignKeys: [partOf('templates', 'template_drafts_template', 'template_id')],
});

/** A row of {@link templateDrafts}. */
export type DraftRow = RowOf<typeof templateDrafts>;

/** A draft that is there. */
export type OpenDraft = DraftRow & { content: DraftContent };

/** Whether a row is a draft that is there, and not what is left of one that was saved or discarded. */
export const isOpen = (row: DraftRow | null): row is OpenDraft => row !== null && row.content !== null;
