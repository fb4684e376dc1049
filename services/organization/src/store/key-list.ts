import type { ApiKeyResource, Page, Role } from '@stanza/contracts';
import { type Queryable, statement, type Tenant } from '@stanza/runtime';
import type { ApiKey } from './access-tables.ts';

/** A key with the role of the user behind it, null when they are no longer a member. */
export type ListedKey = Omit<ApiKey, 'hash' | 'hash_key_id'> & { role: Role | null };

const filtered = `from api_keys
   left join memberships
     on memberships.organization_id = api_keys.organization_id and memberships.user_id = api_keys.user_id
   where api_keys.organization_id = $1
     and api_keys.environment = $2
     and ($3::text is null
       or $3 = case
         when revoked_at is not null or memberships.role is null then 'revoked'
         when expires_at <= $4 then 'expired'
         else 'active'
       end)
     and ($5::uuid is null or parent_id = $5)`;

const selectPage = statement<ListedKey>(
  'api-keys-page',
  `select api_keys.id, api_keys.organization_id, environment, api_keys.user_id, name, description, prefix, scopes,
     parent_id, allowed_addresses, api_keys.created_at, expires_at, revoked_at, last_used_at, memberships.role
   ${filtered}
   order by api_keys.id desc
   limit $6
   offset $7`,
);

const selectTotal = statement<{ total: number }>(
  'api-keys-count',
  `select count(*) as total
   ${filtered}`,
);

/** A page of the tenant's keys, newest first. */
export const pageOfKeys = async (
  database: Queryable,
  tenant: Tenant,
  filter: { status: ApiKeyResource['status'] | undefined; parentId: string | undefined; now: Date },
  page: { limit: number; offset: number },
): Promise<Page<ListedKey>> => {
  const { status = null, parentId = null, now } = filter;
  const values = [tenant.organizationId, tenant.environment, status, now, parentId];
  const items = await database.query(selectPage, [...values, page.limit, page.offset]);
  const [counted] = await database.query(selectTotal, values);
  return { items, total: counted?.total ?? 0 };
};
