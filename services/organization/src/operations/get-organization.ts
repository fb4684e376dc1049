import { notFound, getOrganization as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn } from '../domain/errors.ts';
import { presentOrganization } from '../present-organization.ts';
import { findDetails } from '../store/organization-details.ts';

/** Reads the caller's own organization. */
export const getOrganization = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ tenant, input: { params } }) => {
    checkOwn(tenant, params.id);
    const found = await findDetails(database, tenant.organizationId);
    if (!found || found.status === 'deleted') throw notFound('organization');
    return presentOrganization(found);
  });
