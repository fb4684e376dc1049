import type { Trial } from './data/data-region.tsx';
import { documentOf, type TemplateDocument } from './document/document.ts';
import type { Loaded } from './versions/api.ts';

/** What is saved: the template and the blocks of its newest version. */
export interface Saved {
  readonly document: TemplateDocument;
  readonly trial: Trial;
}

/** What is saved of a template that was read, with the content of its newest version. */
export const savedOf = (
  { template }: Loaded,
  newest: { blocks: readonly unknown[]; sample_data: Readonly<Record<string, unknown>> | null },
): Saved => ({
  document: documentOf(template, newest.blocks),
  // A version that a program has written often has no data of its own; that of the live one draws it as well.
  trial: {
    data: newest.sample_data ?? template.current_version?.sample_data ?? {},
    locale: '',
    timezone: '',
  },
});
