import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { breakerKey } from '../destinations/dependencies.ts';
import { presentDestination } from '../destinations/present-destination.ts';
import { pageOfDestinations } from '../destinations/store/destinations.ts';

/** Lists the destinations of the caller's environment. */
export const listDestinations = ({
  database,
  destinations,
}: Pick<Dependencies, 'database' | 'destinations'>) =>
  handle(contracts.listDestinations, async ({ tenant, input: { query } }) => {
    const { items, total } = await pageOfDestinations(tenant, database, query);
    const { offset, limit } = query;
    const data = items.map((row) => presentDestination(row, destinations.breakers.state(breakerKey(row))));
    return { data, pagination: { offset, limit, total } };
  });
