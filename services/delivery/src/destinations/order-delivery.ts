import { type Delivery, notFound } from '@stanza/contracts';
import { newId, type Queryable, type Tenant } from '@stanza/runtime';
import { findDeliveryOf, insertDelivery } from './store/deliveries.ts';

/** Milliseconds for which a delivery waits for a host with an open breaker. */
export const patienceMs = 24 * 3_600_000;

/** A payload for a destination. */
export interface DeliveryOrder {
  destinationId: string;
  /** A repeat of the operation adds nothing. */
  operationId: string;
  origin: Exclude<Delivery['origin'], 'test' | 'event'>;
  originId: string;
  /** The body, as it is signed and sent. */
  payload: unknown;
  /** Trace to continue; without it a new one starts. */
  traceparent?: string | undefined;
}

/**
 * Orders a delivery in the transaction that makes it due; the first replica to claim it sends it.
 * @returns its id, also for a repeat
 * @throws CodedError `not_found` for an unknown destination
 */
export const orderDelivery = async (
  tenant: Tenant,
  tx: Queryable,
  { destinationId, operationId, origin, originId, payload, traceparent }: DeliveryOrder,
): Promise<string> => {
  const id = newId();
  const isNew = await insertDelivery(tenant, tx, {
    id,
    operation_id: operationId,
    destination_id: destinationId,
    origin,
    origin_id: originId,
    payload: JSON.stringify(payload),
    dueInMs: 0,
    patienceMs,
    traceparent,
  });
  if (isNew) return id;
  const before = await findDeliveryOf(tenant, tx, operationId);
  if (before) return before.id;
  throw notFound('destination');
};
