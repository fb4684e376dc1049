import { notFound, getTemplateDraft as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentDraft } from '../domain/draft.ts';
import { findOpenDraft } from '../store/drafts.ts';
import { findTemplate } from '../store/templates.ts';

/** Reads the draft of a template. */
export const getTemplateDraft = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params }, tenant }) => {
    const template = await findTemplate(tenant, database, params.id);
    if (!template) throw notFound('template');
    const draft = await findOpenDraft(tenant, database, template.id);
    if (!draft) throw notFound('draft');
    return presentDraft(draft);
  });
