import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentDelivery } from '../destinations/present-delivery.ts';
import { pageOfDeliveries } from '../destinations/store/deliveries.ts';
import { findDestination } from '../destinations/store/destinations.ts';

/** Lists the deliveries of a destination. */
export const listDeliveries = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listDeliveries, async ({ tenant, input: { params, query } }) => {
    if (!(await findDestination(tenant, database, params.id))) throw contracts.notFound('destination');
    const { items, total } = await pageOfDeliveries(tenant, database, params.id, query);
    const { offset, limit } = query;
    const data = items.map(({ row, attempts }) => presentDelivery(row, attempts));
    return { data, pagination: { offset, limit, total } };
  });
