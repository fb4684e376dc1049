import * as contracts from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import { destinationNotFound } from '../destinations/not-found.ts';
import type { Parts } from '../parts.ts';
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
