import { notFound, getOrganizationStatus as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findOrganization } from '../store/organizations.ts';

/** Answers other services whether an organization is active, and its policies. */
export const getOrganizationStatus = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input }) => {
    const organization = await findOrganization(database, input.organization_id);
    if (!organization) throw notFound('organization');
    const { status, guard_activation, activation } = organization;
    return { status, guard_activation, activation };
  });
