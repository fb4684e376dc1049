import { notFound, getStoredLimits as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findOrganization } from '../store/organizations.ts';

/** Answers other services with what the tier of an organization allows it to store. */
export const getStoredLimits = ({ database, tiers }: Pick<Dependencies, 'database' | 'tiers'>) =>
  handle(operation, async ({ input }) => {
    const organization = await findOrganization(database, input.organization_id);
    if (!organization) throw notFound('organization');
    return tiers[organization.tier].stored;
  });
