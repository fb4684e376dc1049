import type { Environment } from '@stanza/contracts';
import type { Tenant } from '@stanza/runtime';

/** The columns that say whose a row is; every condition of the stores begins with them. */
export const ownerOf = (tenant: Tenant): { organization_id: string; environment: Environment } => ({
  organization_id: tenant.organizationId,
  environment: tenant.environment,
});
