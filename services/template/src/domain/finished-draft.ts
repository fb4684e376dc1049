import { savedMetadata, validationFailed, validationIssues, versionContent } from '@stanza/contracts';
import type { DraftContent } from './draft-tables.ts';

/**
 * What a draft asks to be saved, in the form that a new version and an update of its template take.
 * @throws CodedError `validation_failed` with every issue
 */
export const finishedDraft = ({ blocks, metadata, sample_data }: DraftContent) => {
  const version = versionContent.safeParse({ blocks, ...(sample_data && { sample_data }) });
  const said = savedMetadata.safeParse(metadata);
  if (version.success && said.success) return { ...version.data, metadata: said.data };
  throw validationFailed([
    ...validationIssues(version.error?.issues ?? []),
    ...validationIssues(said.error?.issues ?? []).map((it) => ({ ...it, path: ['metadata', ...it.path] })),
  ]);
};
