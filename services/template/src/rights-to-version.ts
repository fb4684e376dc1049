import type { Queryable, Tenant } from '@stanza/runtime';
import type { ActivationRights } from './domain/activation-rights.ts';
import type { VersionRow } from './domain/tables.ts';
import { proposersOf } from './store/proposals.ts';

/**
 * Checks that a caller may make a version live, by who wrote it and who proposes it.
 * @throws CodedError `activation_refused`
 */
export const needRightsToVersion = async (
  tenant: Tenant,
  db: Queryable,
  rights: ActivationRights,
  version: Pick<VersionRow, 'id' | 'created_by' | 'authors'>,
): Promise<void> => {
  rights.need([
    version.created_by,
    ...(version.authors ?? []),
    ...(await proposersOf(tenant, db, version.id)),
  ]);
};
