import { notFound } from '@stanza/contracts';
import type { Queryable, Tenant } from '@stanza/runtime';
import { noLiveVersion } from '../domain/errors.ts';
import type { TemplateRow, VersionRow } from '../domain/tables.ts';
import { findTemplate } from './templates.ts';
import { findVersion, newestVersion } from './versions.ts';

/**
 * The version that a request means: the one it names, else the live version. Archived templates count too.
 * @throws CodedError `template_not_found`, `version_not_found`, or that of a template without a live version
 */
export const requestedVersion = async (
  tenant: Tenant,
  db: Queryable,
  request: { template_id: string; version_id?: string | null | undefined },
): Promise<{ template: TemplateRow; version: VersionRow }> => {
  const template = await findTemplate(tenant, db, request.template_id);
  if (!template) throw notFound('template');
  const versionId = request.version_id ?? template.current_version_id;
  if (versionId === null) throw noLiveVersion();
  const version = await findVersion(tenant, db, template.id, versionId);
  if (!version) throw notFound('version');
  return { template, version };
};

/**
 * The version that a request means where drafts count too: the one it names, else the live version, else the newest.
 * @throws CodedError `template_not_found` or `version_not_found`
 */
export const requestedOrNewestVersion = async (
  tenant: Tenant,
  db: Queryable,
  request: Parameters<typeof requestedVersion>[2],
): Promise<{ template: TemplateRow; version: VersionRow }> => {
  if (typeof request.version_id === 'string') return requestedVersion(tenant, db, request);
  const template = await findTemplate(tenant, db, request.template_id);
  if (!template) throw notFound('template');
  return { template, version: await liveOrNewestVersion(tenant, db, template) };
};

/**
 * The version that stands for a template where a request names none and drafts count: the live version, else the
 * newest.
 * @throws CodedError `template_not_found` when the template was deleted in the meantime
 */
export const liveOrNewestVersion = async (
  tenant: Tenant,
  db: Queryable,
  { id, current_version_id: liveId }: Pick<TemplateRow, 'id' | 'current_version_id'>,
): Promise<VersionRow> => {
  const version = await (liveId === null
    ? newestVersion(tenant, db, id)
    : findVersion(tenant, db, id, liveId));
  if (!version) throw notFound('template');
  return version;
};
