import { listScimUsers as operation, scimSchemas } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { readFilter, scimUserResource } from '../domain/scim.ts';
import { normalizeEmail } from '../store/members.ts';
import { type ProvisionedFilter, pageOfProvisioned } from '../store/provisioned-users.ts';

const filterOf = ({ attribute, value }: ReturnType<typeof readFilter>): ProvisionedFilter =>
  attribute === 'externalid' ? { externalId: value } : { email: normalizeEmail(value) };

/** Lists members, including deactivated ones. */
export const listScimUsers = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { query } }) => {
    const filter = query.filter === undefined ? undefined : readFilter(query.filter);
    const sought = filter === undefined ? {} : filterOf(filter);
    const { startIndex, count } = query;
    const page = { limit: count, offset: startIndex - 1 };
    const { items, total } = await pageOfProvisioned(database, tenant.organizationId, sought, page);
    return {
      schemas: [scimSchemas.list],
      totalResults: total,
      startIndex,
      itemsPerPage: items.length,
      Resources: items.map((it) => scimUserResource(tenant.organizationId, it)),
    };
  });
