import type { PublicEvent, PublicEventType } from '@stanza/contracts';
import {
  arrayOf,
  boolean,
  check,
  json,
  nullable,
  ofTenant,
  type RowOf,
  referenceTo,
  table,
  tenant,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/table';

/** A subscription of a destination to types of events. */
export const eventSubscriptions = table('event_subscriptions', {
  columns: {
    ...tenant,
    id: uuid(),
    /** The operation that created it: a repeat finds this row. */
    operation_id: uuid(),
    destination_id: uuid(),
    types: arrayOf(text<PublicEventType>()),
    description: nullable(text()),
    is_active: boolean(),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
  primaryKey: { name: 'event_subscriptions_pk', columns: ofTenant('id') },
  checks: [check('event_subscriptions_environment', "environment in ('production', 'preview')")],
  uniques: [{ name: 'event_subscriptions_operation', columns: ofTenant('operation_id') }],
  foreignKeys: [referenceTo('destinations', 'event_subscriptions_destination', 'destination_id')],
  indices: [{ name: 'event_subscriptions_of_destination', columns: ofTenant('destination_id') }],
});

/** A row of {@link eventSubscriptions}. */
export type EventSubscriptionRow = RowOf<typeof eventSubscriptions>;

/** An event for which there was a subscription. */
export const events = table('events', {
  columns: {
    ...tenant,
    /** For an event of another service, the id of its work: told twice, it is one row. */
    id: uuid(),
    type: text<PublicEventType>(),
    /** What it is about: a message, a batch, a template, a connection, the organization. */
    subject: uuid(),
    data: json<PublicEvent['data']>(),
    created_at: timestamp(),
  },
  primaryKey: { name: 'events_pk', columns: ofTenant('id') },
  checks: [check('events_environment', "environment in ('production', 'preview')")],
  indices: [
    { name: 'events_newest', columns: ofTenant('created_at', 'id') },
    { name: 'events_of_type', columns: ofTenant('type', 'created_at', 'id') },
    { name: 'events_created_at', columns: ['created_at'] },
  ],
});

/** A row of {@link events}. */
export type EventRow = RowOf<typeof events>;
