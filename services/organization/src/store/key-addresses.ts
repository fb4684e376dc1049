import { type Queryable, statement, type Tenant } from '@stanza/runtime';

const selectAddresses = statement<{ allowed_addresses: string[] }>(
  'api-key-addresses',
  `select allowed_addresses
   from api_keys
   where organization_id = $1 and environment = $2 and id = $3`,
);

/** The CIDRs from where a key of the tenant may be used; empty: from anywhere. */
export const addressesOfKey = async (
  database: Queryable,
  tenant: Tenant,
  keyId: string,
): Promise<string[]> => {
  const [found] = await database.query(selectAddresses, [tenant.organizationId, tenant.environment, keyId]);
  return found?.allowed_addresses ?? [];
};
