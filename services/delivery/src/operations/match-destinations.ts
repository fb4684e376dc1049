import { matchDestinations as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { destinationKeys } from '../destinations/store/destination-keys.ts';

/** Finds the destinations with the same keys in the other environment. */
export const matchDestinations = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, to, ids } }) => {
    const tenant = new Tenant(organization_id, environment);
    return { matches: await destinationKeys.matches(tenant, database, to, ids) };
  });
