import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { breakerKey } from '../destinations/dependencies.ts';
import { presentDestination } from '../destinations/present-destination.ts';
import { findKeyedDestination } from '../destinations/store/destinations.ts';

/** Reads a destination. */
export const getDestination = ({ database, destinations }: Pick<Dependencies, 'database' | 'destinations'>) =>
  handle(contracts.getDestination, async ({ tenant, input }) => {
    const row = await findKeyedDestination(tenant, database, { id: input.params.id });
    if (!row) throw contracts.notFound('destination');
    return presentDestination(row, destinations.breakers.state(breakerKey(row)));
  });
