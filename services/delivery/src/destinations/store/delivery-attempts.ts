import type { ErrorCode } from '@stanza/contracts';
import {
  DueOrganizations,
  findRow,
  nextDue,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
} from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import {
  type DeliveryAttemptRow,
  type DeliveryRow,
  type DestinationRow,
  deliveries,
  deliveryAttempts,
} from '../destination-tables.ts';
import type { OutboundReply } from '../outbound-reply.ts';

/** A delivery claimed by this process; `due_at` is the end of its lease, and its fence. */
export type ClaimedDelivery = DeliveryRow & {
  /** Its time is over. */
  is_over: boolean;
};

// Organizations take turns, and within one its destinations, of which its tier allows this many: the backlog of each is
// read along an index and no further than its free places, however long it is. Places in flight here count, and no
// organization gets more places than are free.
const claim = statement<ClaimedDelivery>(
  'deliveries-claim',
  `with recursive destination as (
     select organization.organization_id, first.destination_id
     from unnest($9::uuid[]) as organization (organization_id)
     cross join lateral (
       select delivery.destination_id
       from deliveries as delivery
       where delivery.status = 'waiting'
         and delivery.organization_id = organization.organization_id
       order by delivery.destination_id
       limit 1) as first
     union all
     select destination.organization_id, next.destination_id
     from destination
     cross join lateral (
       select further.destination_id
       from deliveries as further
       where further.status = 'waiting'
         and further.organization_id = destination.organization_id
         and further.destination_id > destination.destination_id
       order by further.destination_id
       limit 1) as next
   ),
   ready as (
     select first.organization_id, first.environment, first.id, first.due_at,
       coalesce(organization.places, 0) + row_number() over (
         partition by first.organization_id
         order by first.turn, first.due_at) as turn,
       coalesce(organization.places, 0) as held
     from destination
     left join unnest($3::uuid[], $4::integer[]) as busy (destination_id, places)
       on busy.destination_id = destination.destination_id
     left join unnest($5::uuid[], $6::integer[]) as organization (organization_id, places)
       on organization.organization_id = destination.organization_id
     cross join lateral (
       select delivery.organization_id, delivery.environment, delivery.id, delivery.due_at,
         coalesce(busy.places, 0) + row_number() over (order by delivery.due_at) as turn
       from deliveries as delivery
       where delivery.status = 'waiting'
         and delivery.organization_id = destination.organization_id
         and delivery.destination_id = destination.destination_id
         and delivery.due_at <= (select clock_timestamp())
       order by delivery.due_at
       limit greatest(0, $7 - coalesce(busy.places, 0))) as first
   ),
   chosen as (
     select organization_id, environment, id
     from ready
     where turn <= greatest(1, ($8 + held) / 2)
     order by turn, due_at
     limit $2
   ),
   due as (
     select delivery.organization_id, delivery.environment, delivery.id
     from chosen
     join deliveries as delivery
       on delivery.organization_id = chosen.organization_id
       and delivery.environment = chosen.environment
       and delivery.id = chosen.id
     where delivery.status = 'waiting'
       and delivery.due_at <= clock_timestamp()
     for update of delivery skip locked
   )
   update deliveries as delivery
   set due_at = clock_timestamp() + $1 * interval '1 millisecond'
   from due
   where delivery.organization_id = due.organization_id
     and delivery.environment = due.environment
     and delivery.id = due.id
   returning ${columnsOf(deliveries, 'delivery')}, delivery.give_up_at <= clock_timestamp() as is_over`,
);

/** How much a process takes on, and what it has in flight. */
export interface DeliveryRoom {
  /** Deliveries claimed now, at most. */
  claimed: number;
  /** Free places. */
  free: number;
  /** Deliveries in flight to one destination, at most. */
  ofDestination: number;
  byDestination: ReadonlyMap<string, number>;
  byOrganization: ReadonlyMap<string, number>;
  /** Organizations with due deliveries. */
  organizations: readonly string[];
}

/** Makes what finds the organizations with due deliveries. */
export const dueDeliverers = (): DueOrganizations =>
  new DueOrganizations({ name: 'deliveries', table: 'deliveries', where: "status = 'waiting'" });

/** Claims due deliveries for `leaseMs` milliseconds by the database's clock; after that others may claim them. */
export const claimDeliveries = (
  db: Queryable,
  leaseMs: number,
  { claimed, free, ofDestination, byDestination, byOrganization, organizations }: DeliveryRoom,
): Promise<ClaimedDelivery[]> =>
  db.query(claim, [
    leaseMs,
    claimed,
    [...byDestination.keys()],
    [...byDestination.values()],
    [...byOrganization.keys()],
    [...byOrganization.values()],
    ofDestination,
    free,
    organizations,
  ]);

/** See {@link claimDeliveries}. */
export const nextDelivery = nextDue('deliveries-next', {
  from: 'deliveries',
  moment: 'due_at',
  where: "status = 'waiting'",
});

const findOpen = statement<DeliveryAttemptRow>(
  'delivery-attempt-open',
  `select ${columnsOf(deliveryAttempts)}
   from delivery_attempts
   where organization_id = $1 and environment = $2 and delivery_id = $3 and number = $4 and outcome = 'begun'`,
);

/** The last attempt at a delivery, if its process died without an outcome. */
export const findOpenAttempt = (
  tenant: Tenant,
  db: Queryable,
  { id, attempts }: DeliveryRow,
): Promise<DeliveryAttemptRow | undefined> =>
  findRow(db, findOpen, [tenant.organizationId, tenant.environment, id, attempts]);

const earlier = statement<{ delay_ms: number }>(
  'delivery-earlier-of-subject',
  `select extract(epoch from least(due_at - clock_timestamp(), (clock_timestamp() - $6::timestamptz) / 8))::float8
       * 1000 as delay_ms
   from deliveries
   where organization_id = $1 and environment = $2 and destination_id = $3 and status = 'waiting' and subject = $4
     and id < $5
   order by id
   limit 1`,
);

/**
 * Looks for an earlier event of the same subject that waits for the same destination, or is on its way there. The ids
 * of deliveries tell the order, which the database gives them as events are recorded; ids of events come from their
 * producers.
 * @returns milliseconds until this is worth another look: until the earlier one is due, which is the end of its lease
 * while it is on its way, but at most an eighth of the time that this one has waited; undefined without one
 */
export const delayForEarlier = async (
  tenant: Tenant,
  db: Queryable,
  row: Pick<DeliveryRow, 'id' | 'destination_id' | 'subject' | 'created_at'>,
): Promise<number | undefined> => {
  const { id, destination_id, subject, created_at } = row;
  const values = [tenant.organizationId, tenant.environment, destination_id, subject, id, created_at];
  const [found] = await db.query(earlier, values);
  return found?.delay_ms;
};

const begin = statement<{ number: number }>(
  'delivery-attempt-begin',
  `with begun as (
     update deliveries
     set attempts = attempts + 1, retries = retries + 1, updated_at = clock_timestamp()
     where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and due_at = $4
     returning attempts
   )
   insert into delivery_attempts (organization_id, environment, delivery_id, number, outcome, started_at)
   select $1, $2, $3, attempts, 'begun', $5
   from begun
   returning number`,
);

/** Stores an attempt before its first byte; false when another process has claimed the delivery. */
export const beginAttempt = async (
  tenant: Tenant,
  db: Queryable,
  { id, due_at }: Pick<DeliveryRow, 'id' | 'due_at'>,
  at: Date,
): Promise<boolean> => {
  const [row] = await db.query(begin, [tenant.organizationId, tenant.environment, id, due_at, at]);
  return row !== undefined;
};

const end = statement<{ number: number }>(
  'delivery-attempt-end',
  `with ended as (
     update delivery_attempts
     set outcome = $5, http_status = $6, error = $7, response = $8, latency_ms = $9
     where organization_id = $1 and environment = $2 and delivery_id = $3 and number = $4 and outcome = 'begun'
     returning number
   )
   update deliveries
   set status = $10, error = $11, due_at = coalesce(next.due_at, deliveries.due_at),
     give_up_at = coalesce(next.due_at, deliveries.due_at) + $13::float8 * interval '1 millisecond',
     updated_at = next.at
   from ended, (
     select at, at + $12::float8 * interval '1 millisecond' as due_at
     from date_trunc('milliseconds', clock_timestamp()) as at) as next
   where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and attempts = $4
   returning number`,
  { wakes: 'deliver-to-destinations' },
);

/** The outcome of an attempt, and the next state of its delivery. */
export interface AttemptEnd extends Pick<DeliveryRow, 'id' | 'attempts' | 'status'> {
  reply: OutboundReply;
  error: ErrorCode | null;
  /** Milliseconds until the next attempt; null for the last one. */
  delayMs: number | null;
  /** Milliseconds from then on for which it waits for a host with an open breaker. */
  patienceMs: number;
}

/** Writes the outcome of an attempt; false when it has one. */
export const endAttempt = async (
  tenant: Tenant,
  tx: Transaction,
  { id, attempts, reply, status, error, delayMs, patienceMs }: AttemptEnd,
): Promise<boolean> => {
  const { outcome, httpStatus, error: word, response, latencyMs } = reply;
  const [row] = await tx.query(end, [
    tenant.organizationId,
    tenant.environment,
    id,
    attempts,
    outcome,
    httpStatus,
    word,
    response,
    latencyMs,
    status,
    error,
    delayMs,
    patienceMs,
  ]);
  return row !== undefined;
};

const settle = statement<{ id: string }>(
  'delivery-settle',
  `update deliveries
   set status = $5, error = $6, updated_at = clock_timestamp(),
     due_at = coalesce(clock_timestamp() + $7::float8 * interval '1 millisecond', due_at),
     give_up_at = coalesce(clock_timestamp() + ($7::float8 + $8::float8) * interval '1 millisecond', give_up_at)
   where organization_id = $1 and environment = $2 and id = $3 and status = 'waiting' and due_at = $4
   returning id`,
  { wakes: 'deliver-to-destinations' },
);

/** Postpones a delivery, or ends it, without an attempt; false when another process has claimed it. */
export const settleDelivery = async (
  tenant: Tenant,
  db: Queryable,
  { id, due_at }: Pick<DeliveryRow, 'id' | 'due_at'>,
  to: {
    status: DeliveryRow['status'];
    error: ErrorCode | null;
    /** Milliseconds of the delay; undefined where it ends. */
    delayMs?: number;
    /** Milliseconds from then on for which it waits for its destination; undefined leaves the end of its time. */
    patienceMs?: number;
  },
): Promise<boolean> => {
  const { organizationId, environment } = tenant;
  const times = [to.delayMs ?? null, to.patienceMs ?? null];
  const values = [organizationId, environment, id, due_at, to.status, to.error, ...times];
  const [row] = await db.query(settle, values);
  return row !== undefined;
};

const fail = statement<{ consecutive_failures: number; is_active: boolean }>(
  'destination-count-failure',
  `update destinations
   set consecutive_failures = consecutive_failures + 1
   where organization_id = $1 and environment = $2 and id = $3 and url = $4
   returning consecutive_failures, is_active`,
);

/**
 * Counts a failed attempt of a destination.
 * @param url where the attempt went
 * @returns undefined where the destination has another address by now, of which the attempt tells nothing
 */
export const countFailure = async (
  tenant: Tenant,
  tx: Transaction,
  { id, url }: Pick<DestinationRow, 'id' | 'url'>,
): Promise<{ consecutive_failures: number; is_active: boolean } | undefined> => {
  const [row] = await tx.query(fail, [tenant.organizationId, tenant.environment, id, url]);
  return row;
};

const succeed = statement<Record<string, never>>(
  'destination-count-success',
  `update destinations
   set consecutive_failures = 0
   where organization_id = $1 and environment = $2 and id = $3 and consecutive_failures > 0`,
);

/** Resets the failures of a destination after a success. */
export const forgetFailures = async (tenant: Tenant, tx: Transaction, id: string): Promise<void> => {
  await tx.query(succeed, [tenant.organizationId, tenant.environment, id]);
};
