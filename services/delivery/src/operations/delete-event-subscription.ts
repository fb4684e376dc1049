import * as contracts from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { lockEventSubscription, removeEventSubscription } from '../events/store/event-subscriptions.ts';

/** Deletes a subscription to events; deliveries that it has ordered are delivered. */
export const deleteEventSubscription = ({ database, outbox, clock }: WriteDependencies) =>
  handle(contracts.deleteEventSubscription, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const row = await lockEventSubscription(tenant, tx, params.id);
      if (!row) throw contracts.notFound('event subscription');
      await removeEventSubscription(tenant, tx, row.id);
      const changes = { destination_id: row.destination_id, types: row.types };
      return auditDeletion(tx, outbox, context, {
        kind: 'event_subscription',
        id: row.id,
        changes,
        at: clock.now(),
      });
    }),
  );
