import { type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { DeliveryRow } from '../destination-tables.ts';

// Of this and a reactivation one waits for the other: what is held is resumed, or is not held.
const hold = statement<Record<string, never>>(
  'delivery-hold',
  `with inactive as (
     select id
     from destinations
     where organization_id = $1 and environment = $2 and id = $5 and not is_active
     for share
   )
   update deliveries
   set error = 'invalid_state', due_at = give_up_at, updated_at = clock_timestamp()
   from inactive
   where organization_id = $1 and environment = $2 and deliveries.id = $3 and status = 'waiting' and due_at = $4`,
);

/** Holds a claimed delivery while its destination is inactive, until its time is over; no attempt is counted. */
export const holdDelivery = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  { id, due_at, destination_id }: Pick<DeliveryRow, 'id' | 'due_at' | 'destination_id'>,
): Promise<void> => {
  await db.query(hold, [organizationId, environment, id, due_at, destination_id]);
};

// A claim moves the due time, so that what another process works on is not among the held.
const resume = statement<Record<string, never>>(
  'deliveries-resume',
  `update deliveries
   set due_at = clock_timestamp(), updated_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and destination_id = $3
     and status = 'waiting'
     and due_at = give_up_at
     and due_at > clock_timestamp()
     and exists (
       select
       from destinations
       where organization_id = $1 and environment = $2 and id = $3 and is_active)`,
  { wakes: 'deliver-to-destinations' },
);

/** Makes the held deliveries of a destination due, where it is active. */
export const resumeDeliveries = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  destinationId: string,
): Promise<void> => {
  await tx.query(resume, [organizationId, environment, destinationId]);
};
