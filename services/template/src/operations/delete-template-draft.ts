import { authorOf, notFound, deleteTemplateDraft as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { isDiscarded, needsRevision } from '../domain/draft.ts';
import { isOpen } from '../domain/draft-tables.ts';
import { endDraft, findDraft } from '../store/drafts.ts';
import { lockTemplate } from '../store/templates.ts';

/** Discards the draft of a template. */
export const deleteTemplateDraft = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params, query }, context, principal, tenant }) =>
    database.transaction(async (tx) => {
      const template = await lockTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const draft = await findDraft(tenant, tx, template.id);
      const answer = { success: true as const, id: template.id };
      if (isDiscarded(draft, query.expected_revision)) return answer;
      if (!isOpen(draft)) throw notFound('draft');
      needsRevision(draft, query.expected_revision);
      const updated_at = clock.now();
      const updated_by = authorOf(principal.actor);
      await endDraft(tenant, tx, template.id, { saved_version_id: null, updated_by, updated_at });
      await audit(tx, outbox, context, {
        action: 'template_draft.deleted',
        subject: { kind: 'template', id: template.id },
        changes: { revision: draft.revision },
        at: updated_at,
      });
      return answer;
    }),
  );
