import type { Environment } from '@stanza/contracts';
import { firstIdOf, type Queryable, statement, Tenant, type Transaction } from '@stanza/runtime';
import type { NewReservation, ReservationReply } from '../domain/reserving.ts';
import type { SettledItem } from '../domain/settlement.ts';

/** Time after which a reservation that is still open is asked about, and then again. */
const reportAfter = "interval '30 seconds'";

/** A reservation of a tenant, by the operation that made it. */
export interface KnownReservation extends ReservationReply {
  environment: Environment;
  operation_id: string;
}

const selectReservations = statement<KnownReservation>(
  'reservations-find',
  `select environment, operation_id, id as reservation_id, remaining_credits
   from reservations
   where organization_id = $1 and operation_id = any ($2)`,
);

/** Finds what was answered to operations that reserved before, in either environment. */
export const findReservations = (
  database: Queryable,
  organizationId: string,
  operationIds: readonly string[],
): Promise<KnownReservation[]> => database.query(selectReservations, [organizationId, operationIds]);

const insertReservations = statement<{ id: string }>(
  'reservations-add',
  `with added as (
     insert into reservations (id, organization_id, environment, operation_id, operation, template_id, actor_id,
       amount, open_items, remaining_credits, created_at, report_due_at)
     select id, $1, environment, operation_id, operation, template_id, actor_id, amount, amount, remaining_credits,
       clock_timestamp(), clock_timestamp() + ${reportAfter}
     from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::integer[], $9::bigint[])
       as given (id, environment, operation_id, operation, template_id, actor_id, amount, remaining_credits)
     returning id, amount
   ), held as (
     update credit_accounts
     set reserved = reserved + wanted.amount, updated_at = clock_timestamp()
     from (select sum(amount) as amount from added) as wanted
     where organization_id = $1
   )
   select id
   from added`,
);

/** Holds credits; call with the account locked and found to have them. */
export const addReservations = async (
  tx: Transaction,
  organizationId: string,
  reservations: readonly NewReservation[],
): Promise<void> => {
  await tx.query(insertReservations, [
    organizationId,
    reservations.map((it) => it.reservation_id),
    reservations.map((it) => it.environment),
    reservations.map((it) => it.operation_id),
    reservations.map((it) => it.operation),
    reservations.map((it) => it.template_id),
    reservations.map((it) => it.actor_id),
    reservations.map((it) => it.amount),
    reservations.map((it) => it.remaining_credits),
  ]);
};

const insertSettlements = statement<{ settled: number }>(
  'reservation-settle',
  `with reservation as (
     select *
     from reservations
     where organization_id = $1 and environment = $2 and operation_id = $3
   ), settled as (
     insert into settlements (organization_id, operation_id, item, charged, credit_log_id, message_id, settled_at)
     select organization_id, operation_id, given.item, given.charged, given.credit_log_id, given.message_id, $8
     from unnest($4::integer[], $5::boolean[], $6::uuid[], $7::uuid[])
       as given (item, charged, credit_log_id, message_id)
     join reservation on given.item < reservation.amount
     on conflict (organization_id, operation_id, item) do nothing
     returning *
   ), charged as (
     insert into credit_log (id, organization_id, kind, amount, operation_id, item, environment, operation,
       template_id, message_id, actor_id, created_at)
     select settled.credit_log_id, settled.organization_id, 'charge', -1, settled.operation_id, settled.item,
       reservation.environment, reservation.operation, reservation.template_id, settled.message_id, reservation.actor_id, $8
     from settled
     cross join reservation
     where settled.charged
     returning amount
   ), counted as (
     select (select count(*) from settled) as settled, (select count(*) from charged) as charged
   ), paid as (
     update credit_accounts
     set balance = balance - counted.charged, reserved = reserved - counted.settled, updated_at = $8
     from counted
     where organization_id = $1 and counted.settled > 0
   ), progressed as (
     update reservations
     set open_items = open_items - counted.settled,
       closed_at = case when open_items = counted.settled then $8 end
     from counted
     where organization_id = $1 and operation_id = $3 and counted.settled > 0
   )
   select counted.settled
   from counted
   join reservation on true`,
);

/**
 * Charges or releases messages of a reservation, each once: the first outcome of a message stands. Call with the
 * account locked.
 * @returns how many were settled now, undefined when the tenant has no such reservation
 */
export const settleItems = async (
  tx: Transaction,
  tenant: Tenant,
  settlement: { operationId: string; items: readonly SettledItem[]; at: Date },
): Promise<number | undefined> => {
  const { operationId, items, at } = settlement;
  const [row] = await tx.query(insertSettlements, [
    tenant.organizationId,
    tenant.environment,
    operationId,
    items.map((it) => it.item),
    items.map((it) => it.charged),
    items.map((it) => it.creditLogId),
    items.map((it) => it.messageId),
    at,
  ]);
  return row?.settled;
};

/** Reservations deleted by one statement, so that none of them holds many locks for long. */
const chunk = 2_000;

const deleteClosed = statement<{ deleted: number }>(
  'reservations-retention',
  `with old as (
     select id, organization_id, operation_id
     from reservations
     where id < $1 and closed_at < $2
     order by id
     limit ${chunk}
     for update skip locked
   ), outcomes as (
     delete from settlements
     using old
     where settlements.organization_id = old.organization_id and settlements.operation_id = old.operation_id
   ), gone as (
     delete from reservations
     using old
     where reservations.id = old.id
     returning reservations.id
   )
   select count(*) as deleted
   from gone`,
);

/** Deletes reservations that were closed before a moment, with the outcomes of their messages; answers how many. */
export const deleteReservations = async (database: Queryable, before: Date): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const [row] = await database.query(deleteClosed, [firstIdOf(before), before]);
    const count = row?.deleted ?? 0;
    deleted += count;
    if (count < chunk) return deleted;
  }
};

/** A reservation that delivery is to be asked about. */
export interface OpenReservation {
  tenant: Tenant;
  operationId: string;
  amount: number;
}

/** As far as open reservations are counted, so that the measure stays cheap. */
const mostCounted = 10_000;

/** Reservations that are open, as far as they are counted, and for how long the oldest of them has been. */
export interface OpenReservations {
  open: number;
  oldest_seconds: number;
}

const measureOpen = statement<OpenReservations>(
  'reservations-measure',
  `select count(*)::int as open,
     greatest(0, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0))::float8 as oldest_seconds
   from (select created_at from reservations where closed_at is null limit ${mostCounted}) as counted`,
);

/** Measures the reservations that are open. */
export const countOpen = async (database: Queryable): Promise<OpenReservations> => {
  const [row] = await database.query(measureOpen);
  return row ?? { open: 0, oldest_seconds: 0 };
};

/** Reservations asked about in one call. */
export const reportBatch = 100;

const claimDue = statement<{
  organization_id: string;
  environment: Environment;
  operation_id: string;
  amount: number;
}>(
  'reservation-claim-due',
  `with due as (
     select id
     from reservations
     where closed_at is null and report_due_at <= (select clock_timestamp())
     order by report_due_at
     limit $1
     for update skip locked
   )
   update reservations
   set report_due_at = clock_timestamp() + ${reportAfter}
   from due
   where reservations.id = due.id
   returning organization_id, environment, operation_id, amount`,
);

/** Takes the reservations that are due to be asked about; no replica takes them again until the time has passed. */
export const claimOpen = async (database: Queryable): Promise<OpenReservation[]> => {
  const due = await database.query(claimDue, [reportBatch]);
  return due.map((it) => ({
    tenant: new Tenant(it.organization_id, it.environment),
    operationId: it.operation_id,
    amount: it.amount,
  }));
};
