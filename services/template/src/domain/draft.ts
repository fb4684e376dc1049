import { CodedError, type TemplateDraft } from '@stanza/contracts';
import { withAuthors } from './author.ts';
import { type DraftContent, type DraftRow, isOpen, type OpenDraft } from './draft-tables.ts';

/** The revision of the draft that is there; null for none. */
const revisionOf = (row: DraftRow | null): number | null => (isOpen(row) ? row.revision : null);

const shown = (revision: number | null): string => (revision === null ? 'no draft' : `revision ${revision}`);

const whatHappened = (row: DraftRow | null): string => {
  if (row === null) return 'The template has no draft';
  if (isOpen(row)) return `The draft is at revision ${row.revision}, written by ${row.updated_by}`;
  const ended = row.saved_version_id === null ? 'discarded' : 'saved as a version';
  return `There is no draft: revision ${row.revision} was ${ended} by ${row.updated_by}`;
};

const whatToDo = (row: DraftRow | null): string =>
  isOpen(row) ? 'Read the draft and write with its revision.' : 'Begin one with the expected revision null.';

/** The draft is not the one that the caller has read. */
export const draftChanged = (row: DraftRow | null, expected: number | null): CodedError =>
  new CodedError('draft_changed', {
    message: `${whatHappened(row)}; the request expects ${shown(expected)}. ${whatToDo(row)}`,
    error_details: JSON.stringify({
      revision: revisionOf(row),
      updated_by: row?.updated_by ?? null,
      updated_at: row?.updated_at.toISOString() ?? null,
    }),
  });

/**
 * Checks that the draft is at the revision that the caller has read.
 * @param expected null for no draft, undefined for no expectation
 * @throws CodedError `draft_changed`
 */
export const needsRevision = (row: DraftRow | null, expected: number | null | undefined): void => {
  if (expected !== undefined && expected !== revisionOf(row)) throw draftChanged(row, expected);
};

/** Whether a request to discard a draft repeats the one that did: its answer was lost. */
export const isDiscarded = (row: DraftRow | null, expected: number | undefined): boolean =>
  row !== null &&
  !isOpen(row) &&
  row.saved_version_id === null &&
  (expected === undefined || expected === row.revision);

/** What a request writes into a draft, and who does. */
export interface Written {
  content: DraftContent;
  base_version_id: string | null;
  updated_by: string;
}

const isSame = (row: OpenDraft, { content, base_version_id }: Written): boolean =>
  row.base_version_id === base_version_id && JSON.stringify(row.content) === JSON.stringify(content);

/**
 * Decides what a request to write a draft does. An author who repeats the last request has lost its answer: nothing
 * changes, though the revision is not the expected one any more.
 * @returns the draft where it stays as it is, else the revision that the request writes
 * @throws CodedError `draft_changed`
 */
export const decideWrite = (
  row: DraftRow | null,
  written: Written,
  expected: number | null | undefined,
): { unchanged: OpenDraft } | { revision: number } => {
  const isThere = isOpen(row) && isSame(row, written);
  if (isThere && row.updated_by === written.updated_by) return { unchanged: row };
  needsRevision(row, expected);
  return isThere ? { unchanged: row } : { revision: (row?.revision ?? 0) + 1 };
};

/** Who has written a draft, as far as is known. */
export const draftAuthors = ({ authors, updated_by }: OpenDraft): string[] =>
  withAuthors(authors, updated_by);

/** A draft as the API shows it. */
export const presentDraft = ({ content, ...row }: OpenDraft): TemplateDraft => ({
  template_id: row.template_id,
  blocks: content.blocks,
  metadata: content.metadata,
  sample_data: content.sample_data,
  base_version_id: row.base_version_id,
  revision: row.revision,
  updated_by: row.updated_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
