import { authorOf, notFound, putTemplateDraft as operation } from '@stanza/contracts';
import { audit, handle, ownerOf, type Tenant, type Transaction } from '@stanza/runtime';
import type { CreateDependencies } from '../dependencies.ts';
import { withAuthors } from '../domain/author.ts';
import { decideWrite, draftAuthors, presentDraft } from '../domain/draft.ts';
import { isOpen } from '../domain/draft-tables.ts';
import { findDraft, writeDraft } from '../store/drafts.ts';
import { withinStoredBytes } from '../store/stored-bytes.ts';
import { lockTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/** Ids are accepted in either case. */
const baseOf = async (tenant: Tenant, tx: Transaction, templateId: string, given: string | null) => {
  const id = given?.toLowerCase() ?? null;
  if (id !== null && !(await findVersion(tenant, tx, templateId, id))) throw notFound('version');
  return id;
};

/**
 * Writes the draft of a template. An editor writes every few seconds, so the audit log says who began a draft and who
 * took it over, and not each revision.
 */
export const putTemplateDraft = ({ database, outbox, clock, allowances }: CreateDependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const put = async (tx: Transaction) => {
      const template = await lockTemplate(tenant, tx, params.id);
      if (!template) throw notFound('template');
      const { blocks, metadata, sample_data, expected_revision } = body;
      const content = { blocks, metadata, sample_data };
      const base_version_id = await baseOf(tenant, tx, template.id, body.base_version_id);
      const updated_by = authorOf(principal.actor);
      const row = await findDraft(tenant, tx, template.id);
      const decided = decideWrite(row, { content, base_version_id, updated_by }, expected_revision);
      if ('unchanged' in decided) return presentDraft(decided.unchanged);

      const at = clock.now();
      const { revision } = decided;
      const before = isOpen(row) ? row : null;
      const draft = {
        ...ownerOf(tenant),
        template_id: template.id,
        revision,
        content,
        base_version_id,
        saved_version_id: null,
        authors: withAuthors(before && draftAuthors(before), updated_by),
        updated_by,
        created_at: before?.created_at ?? at,
        updated_at: at,
      };
      await writeDraft(tenant, tx, draft);
      if (before?.updated_by !== updated_by) {
        await audit(tx, outbox, context, {
          action: before ? 'template_draft.taken_over' : 'template_draft.created',
          subject: { kind: 'template', id: template.id },
          changes: { revision, ...(before && { from: before.updated_by }) },
          at,
        });
      }
      return presentDraft(draft);
    };
    const allowance = await allowances.of(tenant.organizationId);
    return database.transaction((tx) => withinStoredBytes(tenant, tx, allowance, () => put(tx)));
  });
