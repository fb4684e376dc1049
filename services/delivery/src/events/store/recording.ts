import { metricCatalogue, type PublicEventType } from '@stanza/contracts';
import type { Metrics } from '@stanza/runtime';
import { patienceMs } from '../../destinations/order-delivery.ts';

/** The body of a delivery: the event as `GET /v1/events` lists it. */
const body = `json_build_object('id', taken.id, 'type', taken.type,
       'created_at', to_char(taken.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
       'organization_id', taken.organization_id, 'environment', taken.environment, 'data', taken.data)::text`;

/**
 * SQL of the parts of a statement that record events, as `recorded`, and order their deliveries. An event without an
 * active subscription that takes its type is not recorded. Where there is none, this costs one look into an index.
 *
 * A destination that is being deleted is locked first or left out: the foreign key of a delivery would fail the whole
 * statement.
 * @param occurred a query for what has happened: organization_id, environment, id, type, subject, data, created_at; without
 * an id or a moment the event gets new ones. A moment is that of another process, whose clock may be off: it counts
 * within the day before now, so that retention goes by the clock of the database. Its data is computed only where the
 * event is recorded, so it must have no volatile columns.
 */
export const recording = (occurred: string): string => `recorded as (
     insert into events (organization_id, environment, id, type, subject, data, created_at)
     select occurred.organization_id, occurred.environment, coalesce(occurred.id, uuidv7()), occurred.type,
       occurred.subject, occurred.data, greatest(least(occurred.created_at, moment.at), moment.at - interval '1 day')
     from (${occurred}) as occurred, date_trunc('milliseconds', clock_timestamp()) as moment (at)
     where exists (
       select
       from event_subscriptions as subscription
       where subscription.organization_id = occurred.organization_id
         and subscription.environment = occurred.environment
         and subscription.is_active
         and occurred.type = any (subscription.types))
     on conflict on constraint events_pk do nothing
     returning organization_id, environment, id, type, subject, data, created_at
   ), taken as (
     select recorded.*, destination.id as destination_id
     from recorded
     join event_subscriptions as subscription
       on subscription.organization_id = recorded.organization_id
       and subscription.environment = recorded.environment
       and subscription.is_active
       and recorded.type = any (subscription.types)
     join destinations as destination
       on destination.organization_id = subscription.organization_id
       and destination.environment = subscription.environment
       and destination.id = subscription.destination_id
     for key share of destination
   ), ordered as (
     insert into deliveries (organization_id, environment, id, operation_id, destination_id, origin, origin_id, subject,
       payload, status, due_at, give_up_at, created_at, updated_at)
     select distinct on (taken.id, taken.destination_id) taken.organization_id, taken.environment, uuidv7(),
       md5(taken.id::text || taken.destination_id::text)::uuid, taken.destination_id, 'event', taken.id, taken.subject,
       ${body}, 'waiting', moment.at, moment.at + ${patienceMs} * interval '1 millisecond', moment.at, moment.at
     from taken, date_trunc('milliseconds', clock_timestamp()) as moment (at)
     on conflict on constraint deliveries_operation do nothing
   )`;

/** Counts recorded events by type. */
export type CountEvents = (types: readonly PublicEventType[]) => void;

/** Counts recorded events. */
export const countEvents = (metrics: Metrics): CountEvents => {
  const recorded = metrics.counter(metricCatalogue.delivery.events);
  return (types) => {
    for (const type of types) recorded.inc({ type });
  };
};

/** The types of recorded events among the rows of a statement. */
export const typesIn = (rows: readonly { recorded: PublicEventType | null }[]): PublicEventType[] =>
  rows.flatMap(({ recorded }) => recorded ?? []);
