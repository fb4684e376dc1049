import * as contracts from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import type { DeliveryRow, DestinationRow } from '../destinations/destination-tables.ts';
import { patienceMs } from '../destinations/order-delivery.ts';
import { presentDelivery } from '../destinations/present-delivery.ts';
import { attemptsOf, lockDelivery, redoDelivery } from '../destinations/store/deliveries.ts';
import { findDestination } from '../destinations/store/destinations.ts';
import { mayReadPayload } from '../events/redirection.ts';

const refuse = (message: string): never => {
  throw new contracts.CodedError('invalid_state', { message });
};

const check = ({ status, origin }: DeliveryRow, { is_active }: DestinationRow): void => {
  if (origin === 'test') refuse('A test cannot be retried; make another one.');
  if (status === 'waiting') refuse('The delivery is in flight.');
  if (status === 'delivered') refuse('The delivery has succeeded.');
  if (!is_active) refuse('The destination is inactive; make it active first.');
};

/** Retries a delivery that failed or may have been lost. */
export const retryDelivery = ({ database, outbox, clock }: WriteDependencies) =>
  handle(contracts.retryDelivery, ({ input: { params }, context, principal, tenant }) =>
    database.transaction(async (tx) => {
      const destination = await findDestination(tenant, tx, params.id);
      if (!destination) throw contracts.notFound('destination');
      const row = await lockDelivery(tenant, tx, params.id, params.delivery_id);
      if (!row) {
        throw contracts.notFound('delivery');
      }
      check(row, destination);
      const at = clock.now();
      const redone = await redoDelivery(tenant, tx, row.id, patienceMs);
      await audit(tx, outbox, context, {
        action: 'delivery.retried',
        subject: { kind: 'delivery', id: row.id },
        changes: { destination_id: destination.id, status: row.status },
        at,
      });
      const isRead = mayReadPayload(principal, row.origin);
      return presentDelivery(redone ?? row, await attemptsOf(tenant, tx, [row.id]), isRead);
    }),
  );
