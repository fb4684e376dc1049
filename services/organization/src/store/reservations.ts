import type { Environment } from '@stanza/contracts';
import { firstIdDaysAgo, type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { NewReservation, ReservationReply, Wanted } from '../domain/reserving.ts';
import { available } from './available.ts';

/** Interval at which delivery is asked about an open reservation. */
export const reportAfter = "interval '30 seconds'";

/** A reservation of a tenant, by its operation. */
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

/** Finds the answers given to operations that reserved before, in either environment. */
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

/** Holds credits; call with the account locked and its credits checked. */
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

/** The result of one request of a statement. */
export interface ReservedWish {
  /** Null when it is refused. */
  reservation_id: string | null;
  remaining_credits: number | null;
  /** Null when there is no account. */
  overage: number | null;
}

// The update of the account takes its lock before a reservation is inserted. A reservation of the same operation that was
// committed after this statement began is not among `known`, and violates the unique constraint.
const reserve = statement<ReservedWish>(
  'reservations-reserve',
  `with asked as (
     select *
     from unnest($2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::uuid[], $7::text[], $8::integer[])
       with ordinality as given (id, environment, operation_id, operation, template_id, actor_id, amount, place)
   ), known as (
     select environment, operation_id, id, remaining_credits
     from reservations
     where organization_id = $1 and operation_id = any ($4)
   ), fresh as (
     select asked.*, sum(amount) over (order by place) as so_far
     from asked
     where not exists (
       select
       from known
       where known.environment = asked.environment and known.operation_id = asked.operation_id)
   ), wanted as (
     select sum(amount) as amount
     from fresh
   ), held as (
     update credit_accounts as account
     set reserved = account.reserved + wanted.amount, updated_at = clock_timestamp()
     from wanted
     where account.organization_id = $1
       and ${available} >= wanted.amount
     returning account.balance - account.reserved + wanted.amount as before
   ), added as (
     insert into reservations (id, organization_id, environment, operation_id, operation, template_id, actor_id,
       amount, open_items, remaining_credits, created_at, report_due_at)
     select id, $1, environment, operation_id, operation, template_id, actor_id, amount, amount, before - so_far,
       clock_timestamp(), clock_timestamp() + ${reportAfter}
     from held
     cross join fresh
     returning environment, operation_id, id, remaining_credits
   ), answered as (
     select * from known
     union all
     select * from added
   )
   select answered.id as reservation_id, answered.remaining_credits, account.overage
   from asked
   left join answered on answered.environment = asked.environment and answered.operation_id = asked.operation_id
   left join credit_accounts as account on account.organization_id = $1
   order by place`,
);

/**
 * Holds credits for distinct operations, for all new ones or for none; a repeat gets the first answer.
 * @returns one result for each request, in order
 * @throws a unique violation of `reservations_once` when one was reserved concurrently; nothing is held
 */
export const reserveTogether = (
  database: Queryable,
  organizationId: string,
  wishes: readonly Wanted[],
  newId: () => string,
): Promise<ReservedWish[]> =>
  database.query(reserve, [
    organizationId,
    wishes.map(newId),
    wishes.map((it) => it.environment),
    wishes.map((it) => it.operation_id),
    wishes.map((it) => it.operation),
    wishes.map((it) => it.template_id),
    wishes.map((it) => it.actor_id),
    wishes.map((it) => it.amount),
  ]);

/** Reservations deleted by one statement, which limits the time that their locks are held. */
const chunk = 2_000;

const deleteClosed = statement<{ deleted: number }>(
  'reservations-retention',
  `with old as (
     select id, organization_id, operation_id
     from reservations
     where id < ${firstIdDaysAgo('$1::integer')}
       and closed_at < (select clock_timestamp()) - $1::integer * interval '1 day'
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

/** Deletes reservations closed the given days ago, with the outcomes of their messages; returns their number. */
export const deleteReservations = async (database: Queryable, days: number): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const [row] = await database.query(deleteClosed, [days]);
    const count = row?.deleted ?? 0;
    deleted += count;
    if (count < chunk) return deleted;
  }
};
