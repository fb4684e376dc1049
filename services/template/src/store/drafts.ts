import type { DraftSummary } from '@stanza/contracts';
import { ownerOf, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import { type DraftRow, isOpen, type OpenDraft } from '../domain/draft-tables.ts';
import { draftEntity } from './entities.ts';

/** Reads what there is of a template's draft, which is more than nothing after it was saved or discarded. */
export const findDraft = (tenant: Tenant, db: Queryable, templateId: string): Promise<DraftRow | null> =>
  db.orm.findOneBy(draftEntity, { ...ownerOf(tenant), template_id: templateId });

/** Reads the draft of a template; null where there is none. */
export const findOpenDraft = async (
  tenant: Tenant,
  db: Queryable,
  templateId: string,
): Promise<OpenDraft | null> => {
  const row = await findDraft(tenant, db, templateId);
  return isOpen(row) ? row : null;
};

const summary = statement<Pick<DraftRow, 'revision' | 'updated_by' | 'updated_at'>>(
  'draft-summary',
  `select revision, updated_by, updated_at
   from template_drafts
   where organization_id = $1
     and environment = $2
     and template_id = $3
     and content is not null`,
);

/** Reads which revision of a draft is there, and whose, without its content; null where there is none. */
export const summarizeDraft = async (
  tenant: Tenant,
  db: Queryable,
  templateId: string,
): Promise<DraftSummary | null> => {
  const [row] = await db.query(summary, [tenant.organizationId, tenant.environment, templateId]);
  return row ? { ...row, updated_at: row.updated_at.toISOString() } : null;
};

/** TypeORM has no type for a write of arbitrary JSON. */
const upsert = statement<Record<string, never>>(
  'draft-write',
  `insert into template_drafts (
     organization_id, environment, template_id, revision, content, base_version_id, saved_version_id,
     updated_by, created_at, updated_at, authors
   )
   values ($1, $2, $3, $4, $5, $6, null, $7, $8, $9, $10)
   on conflict on constraint template_drafts_pk do update
   set revision = excluded.revision,
     content = excluded.content,
     base_version_id = excluded.base_version_id,
     saved_version_id = null,
     updated_by = excluded.updated_by,
     created_at = excluded.created_at,
     updated_at = excluded.updated_at,
     authors = excluded.authors`,
);

/** Writes a draft; its template must be locked. */
export const writeDraft = async (tenant: Tenant, tx: Transaction, draft: OpenDraft): Promise<void> => {
  await tx.query(upsert, [
    tenant.organizationId,
    tenant.environment,
    draft.template_id,
    draft.revision,
    JSON.stringify(draft.content),
    draft.base_version_id,
    draft.updated_by,
    draft.created_at,
    draft.updated_at,
    draft.authors && JSON.stringify(draft.authors),
  ]);
};

const end = statement<Record<string, never>>(
  'draft-end',
  `update template_drafts
   set content = null, base_version_id = null, saved_version_id = $4, updated_by = $5, updated_at = $6
   where organization_id = $1
     and environment = $2
     and template_id = $3`,
);

/**
 * Ends the draft of a locked template: its content goes, its revision stays.
 * @param ended the version that it was made, null where it is discarded
 */
export const endDraft = async (
  tenant: Tenant,
  tx: Transaction,
  templateId: string,
  ended: Pick<DraftRow, 'saved_version_id' | 'updated_by' | 'updated_at'>,
): Promise<void> => {
  await tx.query(end, [
    tenant.organizationId,
    tenant.environment,
    templateId,
    ended.saved_version_id,
    ended.updated_by,
    ended.updated_at,
  ]);
};
