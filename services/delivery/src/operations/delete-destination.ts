import * as contracts from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import { destinationNotFound } from '../destinations/not-found.ts';
import { reportDelivery } from '../destinations/report-delivery.ts';
import type { Parts } from '../parts.ts';
import { waitingDeliveries } from '../store/deliveries.ts';
import { findOpenAttempt } from '../store/delivery-attempts.ts';
import { lockDestination, removeDestination } from '../store/destinations.ts';

/** Deletes a destination. */
export const deleteDestination = ({
  database,
  outbox,
  clock,
}: Pick<Parts, 'database' | 'outbox' | 'clock'>) =>
  handle(contracts.deleteDestination, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const row = await lockDestination(tenant, tx, params.id);
      if (!row) throw destinationNotFound();
      // Whoever waits for a delivery hears that it is given up; what is under way may still arrive.
      for (const delivery of await waitingDeliveries(tenant, tx, row.id)) {
        const isOpen = (await findOpenAttempt(tenant, tx, delivery)) !== undefined;
        const status = isOpen ? ('unknown' as const) : ('failed' as const);
        await reportDelivery(outbox, tx, tenant, { ...delivery, status, error: 'not_found' });
      }
      await removeDestination(tenant, tx, row.id);
      await audit(tx, outbox, context, {
        action: 'destination.deleted',
        subject: { kind: 'destination', id: row.id },
        changes: { name: row.name },
        at: clock.now(),
      });
      return { success: true as const, id: row.id };
    }),
  );
