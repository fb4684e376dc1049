import { type Queryable, statement, type Tenant } from '@stanza/runtime';
import type { SettledItem } from '../domain/settlement.ts';

/** The outcomes of messages of one reservation. */
export interface SettledWork {
  tenant: Tenant;
  operationId: string;
  items: readonly SettledItem[];
}

// The account is locked before the first row is written: of two statements that settle the same message, one waits here.
// The rows of the other are not visible to it afterwards; the key of the settlements keeps them.
// The reservations are read by the list of operations: by a join alone, Postgres without statistics reads all of the
// organization's, which was 27 of 28 ms with 5,000 of them.
const settle = statement<{ settled: number | null }>(
  'reservations-settle',
  `with account as materialized (
     select organization_id
     from credit_accounts
     where organization_id = $1
     for update
   ), asked as (
     select *
     from unnest($2::text[], $3::uuid[]) with ordinality as given (environment, operation_id, place)
   ), reservation as (
     select asked.place, reservations.environment, reservations.operation_id, reservations.operation,
       reservations.template_id, reservations.actor_id, reservations.amount
     from asked
     join reservations
       on reservations.organization_id = $1
       and reservations.operation_id = any ((select $3::uuid[])::uuid[])
       and reservations.environment = asked.environment
       and reservations.operation_id = asked.operation_id
   ), settled as (
     insert into settlements (organization_id, operation_id, item, charged, credit_log_id, message_id, settled_at)
     select account.organization_id, reservation.operation_id, given.item, given.charged, given.credit_log_id,
       given.message_id, $9
     from account
     cross join unnest($4::bigint[], $5::integer[], $6::boolean[], $7::uuid[], $8::uuid[])
       as given (place, item, charged, credit_log_id, message_id)
     join reservation on reservation.place = given.place and given.item < reservation.amount
     on conflict (organization_id, operation_id, item) do nothing
     returning operation_id, item, charged, credit_log_id, message_id
   ), charged as (
     insert into credit_log (id, organization_id, kind, amount, operation_id, item, environment, operation,
       template_id, message_id, actor_id, created_at)
     select settled.credit_log_id, $1, 'charge', -1, settled.operation_id, settled.item, reservation.environment,
       reservation.operation, reservation.template_id, settled.message_id, reservation.actor_id, $9
     from settled
     join (
       select distinct on (operation_id) *
       from reservation) as reservation on reservation.operation_id = settled.operation_id
     where settled.charged
     returning amount
   ), paid as (
     update credit_accounts
     set balance = balance - (select count(*) from charged),
       reserved = reserved - (select count(*) from settled),
       updated_at = $9
     where organization_id = $1 and exists (select from settled)
   ), counted as (
     select operation_id, count(*) as settled
     from settled
     group by operation_id
   ), progressed as (
     update reservations
     set open_items = open_items - counted.settled,
       closed_at = case when open_items = counted.settled then clock_timestamp() end
     from counted
     where reservations.organization_id = $1
       and reservations.operation_id = any ((select $3::uuid[])::uuid[])
       and reservations.operation_id = counted.operation_id
   )
   select case when reservation.place is not null then coalesce(counted.settled, 0) end as settled
   from asked
   left join reservation on reservation.place = asked.place
   left join counted on counted.operation_id = reservation.operation_id
   order by asked.place`,
);

/**
 * Charges or releases messages of reservations of one organization, each once: the first outcome of a message stands.
 * @returns for each the messages of its operation that were settled now, undefined when the tenant has no such reservation
 */
export const settleTogether = async (
  database: Queryable,
  organizationId: string,
  works: readonly SettledWork[],
  at: Date,
): Promise<(number | undefined)[]> => {
  const items = works.flatMap((work, index) => work.items.map((item) => ({ ...item, place: index + 1 })));
  const rows = await database.query(settle, [
    organizationId,
    works.map((it) => it.tenant.environment),
    works.map((it) => it.operationId),
    items.map((it) => it.place),
    items.map((it) => it.item),
    items.map((it) => it.charged),
    items.map((it) => it.creditLogId),
    items.map((it) => it.messageId),
    at,
  ]);
  return rows.map((row) => row.settled ?? undefined);
};
