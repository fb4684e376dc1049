import * as contracts from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentEventSubscription } from '../events/present-event.ts';
import { findEventSubscription } from '../events/store/event-subscriptions.ts';

/** Reads a subscription to events. */
export const getEventSubscription = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.getEventSubscription, async ({ tenant, input: { params } }) => {
    const row = await findEventSubscription(tenant, database, { id: params.id });
    if (!row) throw contracts.notFound('event subscription');
    return presentEventSubscription(row);
  });
