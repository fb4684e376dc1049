import type { Organization } from '@stanza/contracts';
import type { OrganizationDetails } from './store/organization-details.ts';

/** An organization as the API shows it. */
export const presentOrganization = (row: OrganizationDetails): Organization => ({
  id: row.id,
  name: row.name,
  tier: row.tier,
  status: row.status,
  member_count: row.member_count,
  guard_activation: row.guard_activation,
  activation: row.activation,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
