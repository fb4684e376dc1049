import { deliverToDestination as work } from '@stanza/contracts';
import { consume, Tenant } from '@stanza/runtime';
import { orderDelivery } from '../destinations/order-delivery.ts';
import { reportDelivery } from '../destinations/report-delivery.ts';
import type { Parts } from '../parts.ts';
import { findDeliveryOf } from '../store/deliveries.ts';

/** Takes a payload over: from here on this service owes its outcome, and delivers it in its own time. */
export const deliverToDestination = ({ clock, outbox }: Pick<Parts, 'clock' | 'outbox'>) =>
  consume(work, async ({ organization_id, environment, destination_id, ...order }, tx) => {
    const tenant = new Tenant(organization_id, environment);
    const { operation_id, origin, origin_id, payload } = order;
    const isNew = await orderDelivery(tenant, tx, {
      destinationId: destination_id,
      operationId: operation_id,
      origin,
      originId: origin_id,
      payload,
      at: clock.now(),
    });
    if (isNew || (await findDeliveryOf(tenant, tx, operation_id))) return;
    // The destination was deleted since.
    await reportDelivery(outbox, tx, tenant, {
      operation_id,
      origin,
      origin_id,
      status: 'failed',
      error: 'not_found',
    });
  });
