import type {
  Activation,
  LifecycleChange,
  ListedPartial,
  ListedTemplate,
  PartialActivation,
  PartialVersion,
  PartialVersionSummary,
  Template,
  TemplatePartial,
  TemplateVersion,
  TemplateVersionSummary,
} from '@stanza/contracts';
import type { Keyed } from '@stanza/runtime';
import { appearanceOf } from './appearance.ts';
import type { ActivationRow, ListedTemplateRow, TemplateRow, VersionFacts, VersionRow } from './tables.ts';

/** A template as the API shows it. */
export const presentTemplate = (row: Keyed<TemplateRow>): Template => ({
  id: row.id,
  organization_id: row.organization_id,
  key: row.key,
  name: row.name,
  description: row.description,
  type: row.type,
  ...appearanceOf(row),
  agent_sends: row.agent_sends,
  lifecycle: row.archived_at === null ? 'active' : 'archived',
  current_version_id: row.current_version_id,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  archived_at: row.archived_at?.toISOString() ?? null,
});

/** A template in a list. */
export const presentListedTemplate = ({ newest, ...row }: ListedTemplateRow): ListedTemplate => ({
  ...presentTemplate(row),
  ...(newest && { newest_version: presentVersionSummary(newest, row.current_version_id) }),
});

const statusOf = (row: VersionFacts, isCurrent: boolean): TemplateVersion['status'] => {
  if (isCurrent) return 'active';
  return row.first_live_at === null ? 'draft' : 'inactive';
};

/**
 * A version as lists show it.
 * @param currentVersionId the live version of its template when the row was read
 */
export const presentVersionSummary = (
  row: VersionFacts,
  currentVersionId: string | null,
): TemplateVersionSummary => {
  const isCurrent = row.id === currentVersionId;
  return {
    id: row.id,
    template_id: row.template_id,
    version_number: row.version_number,
    entity_id: row.entity_id,
    note: row.note,
    status: statusOf(row, isCurrent),
    is_current: isCurrent,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
  };
};

/** A version with its content; see {@link presentVersionSummary}. */
export const presentVersion = (row: VersionRow, currentVersionId: string | null): TemplateVersion => ({
  ...presentVersionSummary(row, currentVersionId),
  blocks: row.blocks,
  sample_data: row.sample_data,
  request_format: row.request_format,
});

/** An activation as the API shows it. */
export const presentActivation = (row: ActivationRow): Activation => ({
  id: row.id,
  template_id: row.template_id,
  version_id: row.version_id,
  version_number: row.version_number,
  ...(row.previous_version_id !== null && { previous_version_id: row.previous_version_id }),
  activated_by: row.activated_by,
  source: row.source,
  ...(row.note !== null && { note: row.note }),
  created_at: row.created_at.toISOString(),
});

/**
 * The result of archiving or unarchiving.
 * @param lastArchivedAt when an unarchived template had been archived
 */
export const presentLifecycleChange = (
  { id, archived_at }: Pick<TemplateRow, 'id' | 'archived_at'>,
  changed: boolean,
  lastArchivedAt: Date | null = null,
): LifecycleChange => {
  const archivedAt = archived_at ?? lastArchivedAt;
  return {
    id,
    lifecycle: archived_at === null ? 'active' : 'archived',
    ...(archivedAt !== null && { archived_at: archivedAt.toISOString() }),
    changed,
  };
};

/** A partial as the API shows it. */
export const presentPartial = (row: Keyed<TemplateRow>): TemplatePartial => {
  const { id, organization_id, key, name, description, lifecycle, current_version_id, ...times } =
    presentTemplate(row);
  const { created_by, created_at, updated_at, archived_at } = times;
  const said = { id, organization_id, key, name, description, lifecycle, current_version_id };
  return { ...said, created_by, created_at, updated_at, archived_at };
};

/** A version of a partial in a list; see {@link presentVersionSummary}. */
export const presentPartialVersionSummary = (
  row: VersionFacts,
  currentVersionId: string | null,
): PartialVersionSummary => {
  const { template_id, entity_id: _, ...version } = presentVersionSummary(row, currentVersionId);
  return { ...version, partial_id: template_id };
};

/** A version of a partial with its content; see {@link presentVersionSummary}. */
export const presentPartialVersion = (row: VersionRow, currentVersionId: string | null): PartialVersion => {
  const { template_id, entity_id: _, ...version } = presentVersion(row, currentVersionId);
  return { ...version, partial_id: template_id };
};

/** A partial in a list. */
export const presentListedPartial = ({ newest, ...row }: ListedTemplateRow): ListedPartial => ({
  ...presentPartial(row),
  ...(newest && { newest_version: presentPartialVersionSummary(newest, row.current_version_id) }),
});

/** An activation of a version of a partial. */
export const presentPartialActivation = (row: ActivationRow): PartialActivation => {
  const { template_id, ...activation } = presentActivation(row);
  return { ...activation, partial_id: template_id };
};
