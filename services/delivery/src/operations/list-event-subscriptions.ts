import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentEventSubscription } from '../events/present-event.ts';
import { pageOfEventSubscriptions } from '../events/store/event-subscriptions.ts';

/** Lists the subscriptions of the caller's environment. */
export const listEventSubscriptions = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.listEventSubscriptions, async ({ tenant, input: { query } }) => {
    const { items, total } = await pageOfEventSubscriptions(tenant, database, query);
    const { offset, limit } = query;
    return { data: items.map(presentEventSubscription), pagination: { offset, limit, total } };
  });
