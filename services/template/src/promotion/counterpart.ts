import { isDeepStrictEqual } from 'node:util';
import type { Queryable, Tenant } from '@stanza/runtime';
import type { TemplateRow, VersionRow } from '../domain/tables.ts';
import { templateKeys } from '../store/keys.ts';
import { findTemplate } from '../store/templates.ts';
import { findVersion, newestVersion } from '../store/versions.ts';

/** What a version is to hold in the environment that it goes to. */
export type Content = Pick<VersionRow, 'blocks' | 'sample_data' | 'entity_id'>;

const holds = (version: VersionRow | null, { blocks, sample_data, entity_id }: Content): boolean =>
  version !== null &&
  version.entity_id === entity_id &&
  isDeepStrictEqual([version.blocks, version.sample_data], [blocks, sample_data]);

/** The template with the same key in the other environment. */
export interface Counterpart {
  template: TemplateRow;
  /** The newest or the live version, where it has the content already. */
  same: VersionRow | null;
}

/** Whether its version with the content is the live one. */
export const isLive = ({ template, same }: Counterpart): boolean =>
  same !== null && same.id === template.current_version_id;

/**
 * Whether its version with the content was live and another was made live since. A promotion leaves that decision as it
 * is, so that a repeated request does not undo a rollback.
 */
export const wasReplaced = (there: Counterpart): boolean =>
  there.same !== null && there.same.first_live_at !== null && !isLive(there);

/** Finds the template with a key, and its version with the content. */
export const counterpartOf = async (
  tenant: Tenant,
  db: Queryable,
  key: string,
  content: Content,
  find: (id: string) => Promise<TemplateRow | null> = (id) => findTemplate(tenant, db, id),
): Promise<Counterpart | null> => {
  const id = await templateKeys.idOf(tenant, db, key);
  const template = id === undefined ? null : await find(id);
  if (!template) return null;
  const newest = await newestVersion(tenant, db, template.id);
  if (holds(newest, content)) return { template, same: newest };
  const { current_version_id: liveId } = template;
  const live = liveId === null ? null : await findVersion(tenant, db, template.id, liveId);
  return { template, same: holds(live, content) ? live : null };
};
