import * as contracts from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { destinationKeys } from '../destinations/store/destination-keys.ts';
import { findReferable } from '../destinations/store/destinations.ts';

/** Answers a service whether a destination exists, before it is referenced; one that is being deleted does not. */
export const checkDestination = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.checkDestination, async ({ input }) => {
    const tenant = new Tenant(input.organization_id, input.environment);
    const { destination_id, destination_key } = input;
    const id =
      destination_id ?? (destination_key && (await destinationKeys.idOf(tenant, database, destination_key)));
    const row = id && (await findReferable(tenant, database, id));
    if (!row) throw contracts.notFound('destination');
    return row;
  });
