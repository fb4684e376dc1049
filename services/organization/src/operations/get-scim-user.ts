import { notFound, getScimUser as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { scimUserResource } from '../domain/scim.ts';
import { findProvisioned } from '../store/provisioned-users.ts';

/** Reads a member, active or deactivated. */
export const getScimUser = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { params } }) => {
    const user = await findProvisioned(database, tenant.organizationId, params.id);
    if (!user) throw notFound('user');
    return scimUserResource(tenant.organizationId, user);
  });
