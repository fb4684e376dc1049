import type { Environment } from '@stanza/contracts';
import { DueOrganizations, nextDue, type Queryable, statement, Tenant } from '@stanza/runtime';
import { reportAfter } from './reservations.ts';

/** An overdue reservation. */
export interface OpenReservation {
  tenant: Tenant;
  operationId: string;
  amount: number;
}

/** Open reservations are counted up to this number, which keeps the measurement cheap. */
const maxCounted = 10_000;

/** The number of open reservations, up to the limit, and the age of the oldest one. */
export interface OpenReservations {
  open: number;
  oldest_seconds: number;
}

const measureOpen = statement<OpenReservations>(
  'reservations-measure',
  `select count(*)::int as open,
     greatest(0, coalesce(extract(epoch from clock_timestamp() - min(created_at)), 0))::float8 as oldest_seconds
   from (select created_at from reservations where closed_at is null limit ${maxCounted}) as counted`,
);

/** Measures the reservations that are open. */
export const countOpen = async (database: Queryable): Promise<OpenReservations> => {
  const [row] = await database.query(measureOpen);
  return row ?? { open: 0, oldest_seconds: 0 };
};

/** Reservations claimed by one call. */
export const reportBatch = 100;

const claimDue = statement<{
  organization_id: string;
  environment: Environment;
  operation_id: string;
  amount: number;
}>(
  'reservation-claim-due',
  `with organization as (
     select unnest($2::uuid[]) as organization_id
   ),
   due as (
     select first.id
     from organization
     cross join lateral (
       select id, report_due_at, row_number() over (order by report_due_at) as turn
       from reservations
       where reservations.organization_id = organization.organization_id
         and closed_at is null
         and report_due_at <= (select clock_timestamp())
       order by report_due_at
       limit $1) as first
     order by first.turn, first.report_due_at
     limit $1
   ),
   mine as (
     select id
     from reservations
     where id = any (array(select id from due))
       and closed_at is null
       and report_due_at <= clock_timestamp()
     for update skip locked
   )
   update reservations
   set report_due_at = clock_timestamp() + ${reportAfter}
   from mine
   where reservations.id = mine.id
   returning organization_id, environment, operation_id, amount`,
);

const isOpen = 'closed_at is null';

/** Finds the time until delivery is to be asked about the next open reservation. */
export const nextReport = nextDue('reservations-next-report', {
  from: 'reservations',
  moment: 'report_due_at',
  where: isOpen,
});

/** Makes what finds the organizations with overdue reservations. */
export const dueReservations = (): DueOrganizations =>
  new DueOrganizations({
    name: 'reservations',
    table: 'reservations',
    moment: 'report_due_at',
    where: isOpen,
  });

/**
 * Claims overdue reservations of these organizations, which take turns; replicas cannot claim them again until the interval
 * has passed.
 */
export const claimOpen = async (
  database: Queryable,
  organizations: readonly string[],
): Promise<OpenReservation[]> => {
  const due = await database.query(claimDue, [reportBatch, organizations]);
  return due.map((it) => ({
    tenant: new Tenant(it.organization_id, it.environment),
    operationId: it.operation_id,
    amount: it.amount,
  }));
};
