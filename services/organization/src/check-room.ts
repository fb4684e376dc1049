import { notFound, type StoredKind } from '@stanza/contracts';
import { checkRoomOf, lockStored, type Tenant, type Transaction } from '@stanza/runtime';
import type { Tiers } from './domain/tiers.ts';
import { findOrganization } from './store/organizations.ts';

/**
 * Refuses another key, invitation or member when the tier allows no more. Requests of the organization take turns, so that two never
 * take the last place together.
 * @throws CodedError `tier_limit`
 */
export const checkRoom = async (
  tx: Transaction,
  tenant: Tenant,
  { tiers, kind, count }: { tiers: Tiers; kind: StoredKind; count: () => Promise<number> },
): Promise<void> => {
  await lockStored(tenant, tx);
  const organization = await findOrganization(tx, tenant.organizationId);
  if (!organization) throw notFound('organization');
  checkRoomOf(kind, tiers[organization.tier].stored, await count());
};
