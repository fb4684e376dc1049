import { type InputOf, limits, type listDeliveries, type Page, readLogPlace } from '@stanza/contracts';
import {
  type Database,
  deletion,
  entityOf,
  findRow,
  ownerOf,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { LessThan } from 'typeorm';
import {
  type DeliveryAttemptRow,
  type DeliveryRow,
  deliveries,
  deliveryAttempts,
} from '../destination-tables.ts';

/** The entity of {@link deliveries}. */
export const deliveryEntity = entityOf(deliveries);

/** The entity of {@link deliveryAttempts}. */
export const deliveryAttemptEntity = entityOf(deliveryAttempts);

/** The filter and page of a list of deliveries. */
export type DeliveryQuery = InputOf<typeof listDeliveries>['query'];

/** A delivery and its attempts, oldest first. */
export interface TriedDelivery {
  row: DeliveryRow;
  attempts: DeliveryAttemptRow[];
}

/** A payload to be delivered. */
export type NewDelivery = Pick<
  DeliveryRow,
  'id' | 'operation_id' | 'destination_id' | 'origin' | 'origin_id' | 'payload'
> & {
  /** Milliseconds until it is due; until then this process holds its lease. */
  dueInMs: number;
  /** Milliseconds from then on for which it waits for a host with an open breaker. */
  patienceMs: number;
  traceparent: string | undefined;
};

// A destination that is being deleted is locked first or left out: the foreign key would fail the statement.
const insert = statement<{ id: string }>(
  'delivery-insert',
  `insert into deliveries (organization_id, environment, id, operation_id, destination_id, origin, origin_id, payload,
     status, due_at, give_up_at, created_at, updated_at, traceparent)
   select $1, $2, $3, $4, $5, $6, $7, $8, 'waiting', at + $9::float8 * interval '1 millisecond',
     at + ($9::float8 + $10::float8) * interval '1 millisecond', at, at, $11
   from destinations, date_trunc('milliseconds', clock_timestamp()) as at
   where organization_id = $1 and environment = $2 and id = $5
   for key share of destinations
   on conflict on constraint deliveries_operation do nothing
   returning id`,
  { wakes: 'deliver-to-destinations' },
);

/** Stores a delivery, unique by its operation. False when it existed, or for an unknown destination. */
export const insertDelivery = async (tenant: Tenant, tx: Queryable, made: NewDelivery): Promise<boolean> => {
  const [row] = await tx.query(insert, [
    tenant.organizationId,
    tenant.environment,
    made.id,
    made.operation_id,
    made.destination_id,
    made.origin,
    made.origin_id,
    made.payload,
    made.dueInMs,
    made.patienceMs,
    made.traceparent,
  ]);
  return row !== undefined;
};

/** Reads the delivery of an operation. */
export const findDeliveryOf = (
  tenant: Tenant,
  db: Queryable,
  operationId: string,
): Promise<DeliveryRow | null> =>
  db.orm.findOneBy(deliveryEntity, { ...ownerOf(tenant), operation_id: operationId });

/** Reads a delivery and locks it against changes until the transaction ends. */
export const lockDelivery = (
  tenant: Tenant,
  tx: Transaction,
  destinationId: string,
  id: string,
): Promise<DeliveryRow | null> =>
  tx.orm.findOne(deliveryEntity, {
    where: { ...ownerOf(tenant), destination_id: destinationId, id },
    lock: { mode: 'pessimistic_write' },
  });

/** Reads a delivery of a destination. */
export const findDelivery = (
  tenant: Tenant,
  db: Queryable,
  destinationId: string,
  id: string,
): Promise<DeliveryRow | null> =>
  db.orm.findOneBy(deliveryEntity, { ...ownerOf(tenant), destination_id: destinationId, id });

const latestAttempts = statement<DeliveryAttemptRow>(
  'delivery-attempts-latest',
  `select ${columnsOf(deliveryAttempts, 'latest')}
   from unnest($3::uuid[]) as asked (id)
   cross join lateral (
     select ${columnsOf(deliveryAttempts)}
     from delivery_attempts
     where organization_id = $1 and environment = $2 and delivery_id = asked.id
     order by number desc
     limit $4) as latest
   order by latest.number`,
);

/** Reads the latest attempts of each delivery, oldest first: each retry by an operation adds some more. */
export const attemptsOf = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  ids: string[],
): Promise<DeliveryAttemptRow[]> =>
  db.query(latestAttempts, [organizationId, environment, ids, limits.deliveryAttempts]);

/** Lists the deliveries of a destination, newest first; page and total come from one snapshot. */
export const pageOfDeliveries = (
  tenant: Tenant,
  database: Database,
  destinationId: string,
  { status, cursor, limit, offset }: DeliveryQuery,
): Promise<Page<TriedDelivery>> =>
  database.transaction(
    async (tx) => {
      const [rows, total] = await tx.orm.findAndCount(deliveryEntity, {
        where: {
          ...ownerOf(tenant),
          destination_id: destinationId,
          ...(status !== undefined && { status }),
          ...(cursor !== undefined && { id: LessThan(readLogPlace(cursor).id) }),
        },
        order: { id: 'DESC' },
        take: limit,
        skip: offset,
      });
      const attempts = await attemptsOf(
        tenant,
        tx,
        rows.map(({ id }) => id),
      );
      const items = rows.map((row) => ({
        row,
        attempts: attempts.filter((it) => it.delivery_id === row.id),
      }));
      return { items, total };
    },
    { isolation: 'REPEATABLE READ' },
  );

/** A batch that waits for its delivery, as its queue is told of it. */
export type WaitingBatch = Pick<DeliveryRow, 'id' | 'operation_id' | 'origin' | 'origin_id'> & {
  /** Whether an attempt has begun of which no outcome is known. */
  is_under_way: boolean;
};

const waitingOf = statement<WaitingBatch>(
  'deliveries-waiting-batches',
  `select delivery.id, delivery.operation_id, delivery.origin, delivery.origin_id,
     attempt.delivery_id is not null as is_under_way
   from deliveries as delivery
   left join delivery_attempts as attempt
     on attempt.organization_id = delivery.organization_id
     and attempt.environment = delivery.environment
     and attempt.delivery_id = delivery.id
     and attempt.number = delivery.attempts
     and attempt.outcome = 'begun'
   where delivery.organization_id = $1 and delivery.environment = $2 and delivery.destination_id = $3
     and delivery.status = 'waiting' and delivery.origin = 'batch'`,
);

/** The batches that wait for a destination. Their queues are told of the outcome; other deliveries have none to tell. */
export const waitingBatches = (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  destinationId: string,
): Promise<WaitingBatch[]> => tx.query(waitingOf, [organizationId, environment, destinationId]);

const anyLost = statement<{ lost: boolean }>(
  'delivery-any-lost',
  `select exists (
     select
     from delivery_attempts
     where organization_id = $1 and environment = $2 and delivery_id = $3 and outcome = 'lost') as lost`,
);

/** True where the answer of an attempt was lost: the destination may have the payload, also where later attempts failed. */
export const mayHaveArrived = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  id: string,
): Promise<boolean> => (await tx.query(anyLost, [organizationId, environment, id]))[0]?.lost ?? false;

const origins = statement<Pick<DeliveryRow, 'origin'>>(
  'deliveries-origins-to-send',
  // Each half has an index of its own: most deliveries have arrived.
  `select origin
   from deliveries
   where organization_id = $1 and environment = $2 and destination_id = $3 and status = 'waiting'
   union
   select origin
   from deliveries
   where organization_id = $1 and environment = $2 and destination_id = $3 and status in ('failed', 'unknown')`,
);

/** The origins of what may still be sent to a destination: it waits, or can be retried. */
export const originsToSend = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  destinationId: string,
): Promise<Set<DeliveryRow['origin']>> => {
  const rows = await tx.query(origins, [organizationId, environment, destinationId]);
  return new Set(rows.map(({ origin }) => origin));
};

const redo = statement<DeliveryRow>(
  'delivery-retry',
  `update deliveries
   set status = 'waiting', retries = 0, error = null, due_at = next.at, updated_at = next.at,
     give_up_at = next.at + $4::float8 * interval '1 millisecond'
   from (select date_trunc('milliseconds', clock_timestamp()) as at) as next
   where organization_id = $1 and environment = $2 and id = $3
   returning ${columnsOf(deliveries)}`,
  { wakes: 'deliver-to-destinations' },
);

/** Makes a locked delivery due again, like a new one. */
export const redoDelivery = (
  tenant: Tenant,
  tx: Transaction,
  id: string,
  patienceMs: number,
): Promise<DeliveryRow | undefined> =>
  findRow(tx, redo, [tenant.organizationId, tenant.environment, id, patienceMs]);

/** A delivery takes its payload and its attempts with it. */
const forget = deletion('deliveries-forget', {
  from: 'deliveries',
  where: "status <> 'waiting' and updated_at < (select clock_timestamp()) - $1::integer * interval '1 day'",
  orderBy: 'updated_at',
  atOnce: 500,
});

/** Deletes deliveries, of any tenant, that ended the given days ago, with their payloads. */
export const forgetDeliveries = (db: Queryable, days: number): Promise<number> => forget(db, [days]);
