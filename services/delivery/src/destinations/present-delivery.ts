import type { Delivery } from '@stanza/contracts';
import type { DeliveryAttemptRow, DeliveryRow } from './destination-tables.ts';

const presentAttempt = (row: DeliveryAttemptRow, isRead: boolean): Delivery['attempts'][number] => ({
  number: row.number,
  started_at: row.started_at.toISOString(),
  ...(row.latency_ms !== null && { latency_ms: row.latency_ms }),
  outcome: row.outcome,
  ...(row.http_status !== null && { http_status: row.http_status }),
  ...(row.error !== null && { error: row.error }),
  ...(row.response !== null && isRead && { response: row.response }),
});

/** Whether a delivery has no attempt to come, unless its destination becomes active: it waits for the end of its time. */
const isHeld = ({ due_at, give_up_at }: DeliveryRow): boolean => due_at.getTime() === give_up_at.getTime();

/**
 * A delivery as the API shows it, without its payload.
 * @param isRead whether the caller may read the payload: what a receiver answers may repeat it
 */
export const presentDelivery = (
  row: DeliveryRow,
  attempts: readonly DeliveryAttemptRow[],
  isRead: boolean,
): Delivery => ({
  id: row.id,
  destination_id: row.destination_id,
  origin: row.origin,
  origin_id: row.origin_id,
  status: row.status,
  ...(row.error !== null && { error: row.error }),
  ...(row.status === 'waiting' && !isHeld(row) && { next_attempt_at: row.due_at.toISOString() }),
  attempts: attempts.map((it) => presentAttempt(it, isRead)),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});
