import {
  authorOf,
  type EntityReference,
  notFound,
  saveTemplateDraft as operation,
  savedMetadata,
  type TemplateVersion,
  validationFailed,
  validationIssues,
  versionContent,
} from '@stanza/contracts';
import {
  type Allowance,
  audit,
  type Call,
  handle,
  newId,
  type Queryable,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { checkedVersion } from '../checked-blocks.ts';
import { checkSettings } from '../checked-settings.ts';
import type { Dependencies } from '../dependencies.ts';
import type { ReadActivationRights } from '../domain/activation-rights.ts';
import { authorsOfSettings, withAuthors } from '../domain/author.ts';
import { auditedChanges, changesOf, type Given, isEmpty } from '../domain/changes.ts';
import { draftAuthors, draftChanged, needsRevision } from '../domain/draft.ts';
import { type DraftContent, type DraftRow, isOpen, type OpenDraft } from '../domain/draft-tables.ts';
import { changesLive } from '../domain/live-settings.ts';
import { presentVersion } from '../domain/present-template.ts';
import type { TemplateRow, VersionContent } from '../domain/tables.ts';
import { activationRightsOf } from '../read-activation-rights.ts';
import { namedEntityId, needEntity } from '../references.ts';
import { appendVersion } from '../store/authoring.ts';
import { endDraft, findDraft } from '../store/drafts.ts';
import { withinStoredBytes } from '../store/stored-bytes.ts';
import { changeTemplate, findTemplate, lockTemplate } from '../store/templates.ts';
import { findVersion } from '../store/versions.ts';

/**
 * The version that a draft was made, for a request that saves it once more.
 * @throws CodedError `not_found` where no draft was saved, `draft_changed` where it was another revision
 */
const savedBefore = async (
  tenant: Tenant,
  db: Queryable,
  template: TemplateRow,
  row: DraftRow | null,
  expected: number | undefined,
): Promise<TemplateVersion> => {
  const versionId = row?.saved_version_id;
  const version = versionId ? await findVersion(tenant, db, template.id, versionId) : null;
  if (!version) throw notFound('draft');
  if (expected !== undefined && row?.revision !== expected) throw draftChanged(row, expected);
  return presentVersion(version, template.current_version_id);
};

/** The entity that the request names, else that of the version from which the draft was begun. */
const entityFor = async (
  tenant: Tenant,
  db: Queryable,
  draft: OpenDraft,
  body: EntityReference,
): Promise<string | null> => {
  const named = await namedEntityId(tenant, db, body);
  if (named !== undefined) return named;
  if (draft.base_version_id === null) return null;
  const base = await findVersion(tenant, db, draft.template_id, draft.base_version_id);
  return base?.entity_id ?? null;
};

/** A draft that compiles, and what its version is to hold besides. */
interface Finished {
  draft: OpenDraft;
  content: VersionContent;
  metadata: Given<TemplateRow>;
  /** Reads what the caller may change of what is live. */
  readRights: ReadActivationRights;
  entity_id: string | null;
  note: string | null;
}

type Saving = Pick<Call<typeof operation>, 'tenant' | 'context' | 'principal'> &
  Pick<Dependencies, 'outbox' | 'clock'> & { allowance: Allowance };

const changeMetadata = async (
  { tenant, context, principal, outbox }: Saving,
  tx: Transaction,
  {
    template,
    draft,
    metadata,
    readRights,
    at,
  }: Pick<Finished, 'draft' | 'metadata' | 'readRights'> & {
    template: TemplateRow;
    at: Date;
  },
): Promise<void> => {
  const changes = changesOf(template, metadata);
  if (isEmpty(changes)) return;
  const isSetting = changesLive(changes);
  if (template.current_version_id !== null && isSetting) (await readRights()).needFreeSettings();
  const settings_authors = withAuthors(
    authorsOfSettings(template),
    ...draftAuthors(draft),
    authorOf(principal.actor),
  );
  await changeTemplate(tenant, tx, template.id, { ...changes, ...(isSetting && { settings_authors }) });
  await audit(tx, outbox, context, {
    action: 'template.updated',
    subject: { kind: 'template', id: template.id },
    changes: auditedChanges<TemplateRow>(template, changes),
    at,
  });
};

/** Writes the version and the metadata and ends the draft. */
const writeFinished = async (
  saving: Saving,
  tx: Transaction,
  { draft, content, metadata, readRights, entity_id, note }: Finished,
): Promise<TemplateVersion> => {
  const { tenant, context, outbox } = saving;
  const template = await lockTemplate(tenant, tx, draft.template_id);
  if (!template) throw notFound('template');
  const now = await findDraft(tenant, tx, template.id);
  // Of two requests that save the same revision, the second one finds it saved.
  if (!isOpen(now)) return savedBefore(tenant, tx, template, now, draft.revision);
  if (now.revision !== draft.revision) throw draftChanged(now, draft.revision);
  await needEntity(tenant, tx, entity_id);
  const at = saving.clock.now();
  const author = authorOf(saving.principal.actor);
  const appended = await appendVersion(tenant, tx, saving.allowance, {
    ...content,
    id: newId(),
    template_id: template.id,
    operation_id: context.operationId,
    entity_id,
    note,
    created_by: author,
    authors: draftAuthors(draft),
    created_at: at,
  });
  if (!appended) throw notFound('template');
  const { id: version_id, version_number } = appended.version;
  await changeMetadata(saving, tx, { template, draft, metadata, readRights, at });
  const ended = { saved_version_id: version_id, updated_by: author, updated_at: at };
  await endDraft(tenant, tx, template.id, ended);
  await audit(tx, outbox, context, {
    action: 'template.version_added',
    subject: { kind: 'template', id: template.id },
    changes: { version_id, version_number, draft_revision: draft.revision },
    at,
  });
  return presentVersion(appended.version, appended.currentVersionId);
};

/** What people find the template by; the rest is a part of every message of its live version. */
const labelsOf = ({ name, description, type }: Given<TemplateRow>): Given<TemplateRow> => ({
  name,
  description,
  type,
});

/** Makes a draft the next version of its template, and its metadata that of the template. */
export const saveTemplateDraft = ({ database, outbox, rpc, clock, allowances }: Dependencies) =>
  handle(operation, async ({ input: { params, body }, context, principal, tenant }) => {
    const template = await findTemplate(tenant, database, params.id);
    if (!template) throw notFound('template');
    const draft = await findDraft(tenant, database, template.id);
    if (!isOpen(draft)) return savedBefore(tenant, database, template, draft, body.expected_revision);
    needsRevision(draft, body.expected_revision);

    const { blocks, sample_data, metadata: drafted } = finishedDraft(draft.content);
    const metadata = body.keep_settings ? labelsOf(drafted) : drafted;
    const wanted = changesOf(template, metadata);
    const compiled = { blocks, sample_data, template: { ...template, ...wanted } };
    const content = await checkedVersion({ database, rpc }, context, tenant, compiled);
    // The draft may bring the texts of its language.
    const { fallback_text } = wanted;
    await checkSettings({ database, rpc }, context, template, { fallback_text });

    const allowance = await allowances.of(tenant.organizationId);
    const saving = { outbox, clock, allowance, tenant, context, principal };
    const finished = {
      draft,
      content,
      metadata,
      readRights: activationRightsOf(rpc, context, principal, 'templates:update', 'settings'),
      entity_id: await entityFor(tenant, database, draft, body),
      note: body.note ?? null,
    };
    return database.transaction((tx) =>
      withinStoredBytes(tenant, tx, allowance, () => writeFinished(saving, tx, finished)),
    );
  });

/**
 * What a draft asks to be saved, in the form that a new version and an update of its template take.
 * @throws CodedError `validation_failed` with every issue
 */
const finishedDraft = ({ blocks, metadata, sample_data }: DraftContent) => {
  const version = versionContent.safeParse({ blocks, ...(sample_data && { sample_data }) });
  const said = savedMetadata.safeParse(metadata);
  if (version.success && said.success) return { ...version.data, metadata: said.data };
  throw validationFailed([
    ...validationIssues(version.error?.issues ?? []),
    ...validationIssues(said.error?.issues ?? []).map((it) => ({ ...it, path: ['metadata', ...it.path] })),
  ]);
};
