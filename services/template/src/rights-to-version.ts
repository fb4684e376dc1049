import type { Queryable, Tenant } from '@stanza/runtime';
import type { ActivationRights } from './domain/activation-rights.ts';
import { authorsOf } from './domain/author.ts';
import type { VersionRow } from './domain/tables.ts';
import { proposersOf } from './store/proposals.ts';

/**
 * Checks that a caller may make a version live, by who wrote it and who proposes it.
 * @param settingsAuthors who wrote the settings that become live along with it
 * @throws CodedError `activation_refused`
 */
export const needRightsToVersion = async (
  tenant: Tenant,
  db: Queryable,
  rights: ActivationRights,
  version: Pick<VersionRow, 'id' | 'created_by' | 'authors'>,
  settingsAuthors: readonly string[] = [],
): Promise<void> => {
  rights.need([...authorsOf(version), ...settingsAuthors, ...(await proposersOf(tenant, db, version.id))]);
};
