import { notFound, getScimGroup as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { roleOfGroup, scimGroupResource, showsMembers } from '../domain/scim-groups.ts';
import { provisionedOfRole } from '../store/provisioned-users.ts';

/** Reads a role as a group. */
export const getScimGroup = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant: { organizationId }, input: { params, query } }) => {
    const role = roleOfGroup(organizationId, params.id);
    if (role === undefined) throw notFound('group');
    const members = showsMembers(query) ? await provisionedOfRole(database, organizationId, role) : undefined;
    return scimGroupResource(organizationId, role, members);
  });
