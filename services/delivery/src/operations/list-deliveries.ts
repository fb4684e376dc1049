import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentDelivery } from '../destinations/present-delivery.ts';
import { pageOfDeliveries } from '../destinations/store/deliveries.ts';
import { findDestination } from '../destinations/store/destinations.ts';
import { mayReadPayload } from '../events/redirection.ts';

/** Lists the deliveries of a destination. */
export const listDeliveries = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listDeliveries, async ({ tenant, principal, input: { params, query } }) => {
    if (!(await findDestination(tenant, database, params.id))) throw contracts.notFound('destination');
    const page = await pageOfDeliveries(tenant, database, params.id, query);
    const { offset, limit } = query;
    return {
      data: page.items.map(({ row, attempts }) =>
        presentDelivery(row, attempts, mayReadPayload(principal, row.origin)),
      ),
      pagination: { offset, limit, total: page.total },
      next_cursor: contracts.cursorAfter(page, offset, ({ row }) => ({ at: row.created_at, id: row.id })),
    };
  });
