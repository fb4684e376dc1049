import type { Delivery, Destination, ErrorCode } from '@stanza/contracts';
import {
  boolean,
  bytes,
  check,
  integer,
  json,
  nullable,
  ofTenant,
  partOf,
  type RowOf,
  table,
  tenant,
  text,
  timestamp,
  uuid,
  withDefault,
} from '@stanza/runtime/table';

/** A destination, with its encrypted credentials. */
export const destinations = table('destinations', {
  columns: {
    ...tenant,
    id: uuid(),
    /** The operation that created it: a repeat finds this row. */
    operation_id: uuid(),
    name: text(),
    description: nullable(text()),
    url: text(),
    method: text<Destination['method']>(),
    header_names: json<string[]>(),
    /** All headers as one JSON object. */
    headers_ciphertext: bytes(),
    headers_key_id: text(),
    auth_type: text<Destination['auth_type']>(),
    is_active: boolean(),
    retry_enabled: boolean(),
    max_retries: integer(),
    retry_strategy: text<Destination['retry_strategy']>(),
    retry_initial_delay_ms: integer(),
    retry_max_delay_ms: integer(),
    timeout_ms: integer(),
    /** Consecutive failed attempts. */
    consecutive_failures: withDefault(integer(), 0),
    /** Set when failures made it inactive. */
    disabled_at: nullable(timestamp()),
    secret_ciphertext: bytes(),
    secret_key_id: text(),
    /** The secret before a rotation; null without one. */
    previous_secret_ciphertext: nullable(bytes()),
    previous_secret_key_id: nullable(text()),
    previous_secret_until: nullable(timestamp()),
    created_by: text(),
    created_at: timestamp(),
    updated_at: timestamp(),
    /** Set while it is being deleted; counts for a minute, which no request outlasts. */
    deleting_at: nullable(timestamp()),
  },
  primaryKey: { name: 'destinations_pk', columns: ofTenant('id') },
  checks: [
    check('destinations_environment', "environment in ('production', 'preview')"),
    check('destinations_method', "method in ('POST', 'PUT', 'PATCH')"),
    check('destinations_auth_type', "auth_type in ('none', 'bearer', 'basic', 'custom')"),
    check('destinations_retry_strategy', "retry_strategy in ('fixed', 'linear', 'exponential')"),
    check(
      'destinations_previous_secret',
      'num_nulls(previous_secret_ciphertext, previous_secret_key_id, previous_secret_until) in (0, 3)',
    ),
  ],
  uniques: [{ name: 'destinations_operation', columns: ofTenant('operation_id') }],
});

/** A row of {@link destinations}. */
export type DestinationRow = RowOf<typeof destinations>;

/** A payload for a destination, and its state. */
export const deliveries = table('deliveries', {
  columns: {
    ...tenant,
    /** The `webhook-id` of each attempt, retries included. */
    id: uuid(),
    /** The operation that ordered it; a repeat adds nothing. */
    operation_id: uuid(),
    destination_id: uuid(),
    origin: text<Delivery['origin']>(),
    origin_id: uuid(),
    /** Of an event: it waits for earlier ones of its subject. */
    subject: nullable(uuid()),
    /** The body as it is signed and sent, byte for byte. */
    payload: text(),
    status: text<Delivery['status']>(),
    /** When it is tried next; the end of the lease while a process works on it. */
    due_at: timestamp(),
    /** Until then it waits for an open breaker or an inactive destination; each attempt starts the time again. */
    give_up_at: timestamp(),
    /** Attempts so far, including those before a retry by an operation. */
    attempts: withDefault(integer(), 0),
    /** Attempts since it was ordered or retried by an operation, the first included, for the retry strategy. */
    retries: withDefault(integer(), 0),
    error: nullable(text<ErrorCode>()),
    created_at: timestamp(),
    updated_at: timestamp(),
    /** Trace of the order, if it was traced. */
    traceparent: nullable(text()),
  },
  primaryKey: { name: 'deliveries_pk', columns: ofTenant('id') },
  checks: [
    check('deliveries_environment', "environment in ('production', 'preview')"),
    check('deliveries_origin', "origin in ('batch', 'interaction', 'schedule', 'event', 'test')"),
    check('deliveries_status', "status in ('waiting', 'delivered', 'failed', 'unknown')"),
  ],
  uniques: [{ name: 'deliveries_operation', columns: ofTenant('operation_id') }],
  foreignKeys: [partOf('destinations', 'deliveries_destination', 'destination_id')],
  indices: [
    { name: 'deliveries_of_destination', columns: ofTenant('destination_id', 'id') },
    {
      name: 'deliveries_not_delivered',
      columns: ofTenant('destination_id', 'status', 'id'),
      where: "status in ('failed', 'unknown')",
    },
    {
      name: 'deliveries_turns',
      columns: ['organization_id', 'destination_id', 'due_at'],
      where: "status = 'waiting'",
    },
    { name: 'deliveries_due_at', columns: ['due_at'], where: "status = 'waiting'" },
    {
      name: 'deliveries_due_by_organization',
      columns: ['organization_id', 'due_at'],
      where: "status = 'waiting'",
    },
    {
      name: 'deliveries_subject',
      columns: ofTenant('destination_id', 'subject', 'id'),
      where: "status = 'waiting' and subject is not null",
    },
    { name: 'deliveries_updated_at', columns: ['updated_at'], where: "status <> 'waiting'" },
  ],
});

/** A row of {@link deliveries}. */
export type DeliveryRow = RowOf<typeof deliveries>;

/** An attempt; `begun` from before its first byte until its end is known. */
export const deliveryAttempts = table('delivery_attempts', {
  columns: {
    ...tenant,
    delivery_id: uuid(),
    number: integer(),
    outcome: text<Delivery['attempts'][number]['outcome']>(),
    http_status: nullable(integer()),
    error: nullable(text()),
    response: nullable(text()),
    latency_ms: nullable(integer()),
    started_at: timestamp(),
  },
  primaryKey: { name: 'delivery_attempts_pk', columns: ofTenant('delivery_id', 'number') },
  checks: [
    check('delivery_attempts_environment', "environment in ('production', 'preview')"),
    check('delivery_attempts_outcome', "outcome in ('begun', 'delivered', 'refused', 'not_sent', 'lost')"),
  ],
  foreignKeys: [partOf('deliveries', 'delivery_attempts_delivery', 'delivery_id')],
});

/** A row of {@link deliveryAttempts}. */
export type DeliveryAttemptRow = RowOf<typeof deliveryAttempts>;

/** The fields of a destination that its owner sets and every member of the organization may read. */
export type DestinationPolicy = Pick<
  DestinationRow,
  | 'name'
  | 'description'
  | 'url'
  | 'method'
  | 'auth_type'
  | 'is_active'
  | 'retry_enabled'
  | 'max_retries'
  | 'retry_strategy'
  | 'retry_initial_delay_ms'
  | 'retry_max_delay_ms'
  | 'timeout_ms'
>;
