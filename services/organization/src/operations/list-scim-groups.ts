import { listScimGroups as operation, scimGroupRoles, scimSchemas } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { readFilter } from '../domain/scim.ts';
import { type GroupRole, scimGroupResource, showsMembers } from '../domain/scim-groups.ts';
import { provisionedOfRole } from '../store/provisioned-users.ts';

/** Names have no case; ids of the provider are not kept, so none is found by one. */
const matching = (filter: string | undefined): GroupRole[] => {
  if (filter === undefined) return [...scimGroupRoles];
  const { attribute, value } = readFilter(filter);
  return scimGroupRoles.filter((role) => attribute === 'displayname' && role === value.toLowerCase());
};

/** Lists the roles as groups. */
export const listScimGroups = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant: { organizationId }, input: { query } }) => {
    const { startIndex, count, filter } = query;
    const found = matching(filter);
    const Resources = [];
    for (const role of found.slice(startIndex - 1, startIndex - 1 + count)) {
      const members = showsMembers(query)
        ? await provisionedOfRole(database, organizationId, role)
        : undefined;
      Resources.push(scimGroupResource(organizationId, role, members));
    }
    const { length: itemsPerPage } = Resources;
    return { schemas: [scimSchemas.list], totalResults: found.length, startIndex, itemsPerPage, Resources };
  });
