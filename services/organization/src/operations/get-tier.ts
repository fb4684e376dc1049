import { notFound, getTier as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findOrganization } from '../store/organizations.ts';

/** Answers other services with the limits of an organization's tier. */
export const getTier = ({ database, tiers }: Pick<Dependencies, 'database' | 'tiers'>) =>
  handle(operation, async ({ input }) => {
    const organization = await findOrganization(database, input.organization_id);
    if (!organization) throw notFound('organization');
    return tiers[organization.tier];
  });
