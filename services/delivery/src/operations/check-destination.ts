import * as contracts from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findDestination } from '../destinations/store/destinations.ts';

/** Tells a service that wants to refer to a destination whether it is there. */
export const checkDestination = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.checkDestination, async ({ input }) => {
    const tenant = new Tenant(input.organization_id, input.environment);
    const row = await findDestination(tenant, database, input.destination_id);
    if (!row) throw contracts.notFound('destination');
    return { id: row.id, name: row.name, is_active: row.is_active };
  });
