import { type Delivery, notFound } from '@stanza/contracts';
import { newId, type Queryable, type Tenant } from '@stanza/runtime';
import { findDeliveryOf, insertDelivery } from './store/deliveries.ts';

/** Milliseconds for which a delivery waits for a host that is left alone. */
export const patienceMs = 24 * 3_600_000;

/** A payload for a destination. */
export interface DeliveryOrder {
  destinationId: string;
  /** A repeat of the order adds nothing. */
  operationId: string;
  origin: Exclude<Delivery['origin'], 'test'>;
  originId: string;
  /** The body, as it is signed and sent. */
  payload: unknown;
  /** Of the trace that it goes on with; it begins one of its own where none is given. */
  traceparent?: string | undefined;
}

/**
 * Orders a delivery in the transaction that makes it due; it is sent soon after, by the replica that claims it first.
 * @returns its id, also when it had been ordered before
 * @throws CodedError `not_found` when there is no such destination
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
