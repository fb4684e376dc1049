import type { Template, TemplateDraft } from '@stanza/contracts';
import type { Data } from '../data/data-values.ts';
import { changedMetadata, documentOf, metadataKeys, type TemplateDocument } from '../document/document.ts';
import type { DraftBody } from './draft-keeper.ts';

/** What the server is to keep of a screen: the blocks, what differs from the template, and the data. */
export const bodyOfScreen = (
  document: TemplateDocument,
  template: Template,
  data: Data,
  base_version_id: string | null,
): DraftBody => {
  const { name, ...metadata } = changedMetadata(document, template);
  // A name is never taken away: a draft without one keeps that of the template.
  const isNamed = typeof name === 'string' && name !== '';
  return {
    blocks: document.blocks,
    metadata: isNamed ? { name, ...metadata } : metadata,
    sample_data: Object.keys(data).length > 0 ? data : null,
    base_version_id,
  };
};

/** The document of a draft: what it leaves out is as in the template. */
export const documentOfDraft = (
  template: Template,
  { blocks, metadata }: Pick<TemplateDraft, 'blocks' | 'metadata'>,
): TemplateDocument => {
  const changed = metadataKeys.filter((key) => metadata[key] !== undefined);
  return documentOf(
    { ...template, ...Object.fromEntries(changed.map((key) => [key, metadata[key]])) },
    blocks,
  );
};
