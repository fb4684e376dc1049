import type { Queryable, Tenant } from '@stanza/runtime';
import type { ActivationRights } from './domain/activation-rights.ts';
import { authorsOf } from './domain/author.ts';
import type { VersionRow } from './domain/tables.ts';
import { authorsOfUnreviewed } from './store/partials.ts';
import { proposersOf } from './store/proposals.ts';

/**
 * Checks that a caller may make a version live, by who wrote it, or a part of it that was never live, and who proposes it.
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
  const proposers = await proposersOf(tenant, db, version.id);
  const ofPartials = await authorsOfUnreviewed(tenant, db, version.id);
  rights.need([...authorsOf(version), ...settingsAuthors, ...proposers, ...ofPartials]);
};
