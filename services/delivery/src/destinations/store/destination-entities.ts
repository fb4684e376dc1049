import {
  boolean,
  bytes,
  check,
  integer,
  json,
  key,
  nullable,
  ofTenant,
  partOf,
  tenantKey,
  text,
  timestamp,
  uuid,
} from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { DeliveryAttemptRow, DeliveryRow, DestinationRow } from '../destination-rows.ts';

/** See {@link DestinationRow}. */
export const destinationEntity = new EntitySchema<DestinationRow>({
  name: 'destinations',
  columns: {
    ...tenantKey('destinations_pk'),
    id: key(uuid, 'destinations_pk'),
    operation_id: uuid,
    name: text,
    description: { ...text, ...nullable },
    url: text,
    method: text,
    header_names: json,
    headers_ciphertext: bytes,
    headers_key_id: text,
    auth_type: text,
    is_active: boolean,
    retry_enabled: boolean,
    max_retries: integer,
    retry_strategy: text,
    retry_initial_delay_ms: integer,
    retry_max_delay_ms: integer,
    timeout_ms: integer,
    consecutive_failures: { ...integer, default: 0 },
    disabled_at: { ...timestamp, ...nullable },
    secret_ciphertext: bytes,
    secret_key_id: text,
    previous_secret_ciphertext: { ...bytes, ...nullable },
    previous_secret_key_id: { ...text, ...nullable },
    previous_secret_until: { ...timestamp, ...nullable },
    created_by: text,
    created_at: timestamp,
    updated_at: timestamp,
  },
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

/** See {@link DeliveryRow}. */
export const deliveryEntity = new EntitySchema<DeliveryRow>({
  name: 'deliveries',
  columns: {
    ...tenantKey('deliveries_pk'),
    id: key(uuid, 'deliveries_pk'),
    operation_id: uuid,
    destination_id: uuid,
    origin: text,
    origin_id: uuid,
    payload: text,
    status: text,
    due_at: timestamp,
    give_up_at: timestamp,
    attempts: { ...integer, default: 0 },
    retries: { ...integer, default: 0 },
    error: { ...text, ...nullable },
    created_at: timestamp,
    updated_at: timestamp,
    traceparent: { ...text, ...nullable },
  },
  checks: [
    check('deliveries_environment', "environment in ('production', 'preview')"),
    check('deliveries_origin', "origin in ('batch', 'interaction', 'schedule', 'test')"),
    check('deliveries_status', "status in ('waiting', 'delivered', 'failed', 'unknown')"),
  ],
  uniques: [{ name: 'deliveries_operation', columns: ofTenant('operation_id') }],
  foreignKeys: [partOf('destinations', 'deliveries_destination', 'destination_id')],
  indices: [
    { name: 'deliveries_of_destination', columns: ofTenant('destination_id', 'id') },
    { name: 'deliveries_due_at', columns: ['due_at'], where: "status = 'waiting'" },
    { name: 'deliveries_updated_at', columns: ['updated_at'], where: "status <> 'waiting'" },
  ],
});

/** See {@link DeliveryAttemptRow}. */
export const deliveryAttemptEntity = new EntitySchema<DeliveryAttemptRow>({
  name: 'delivery_attempts',
  columns: {
    ...tenantKey('delivery_attempts_pk'),
    delivery_id: key(uuid, 'delivery_attempts_pk'),
    number: key(integer, 'delivery_attempts_pk'),
    outcome: text,
    http_status: { ...integer, ...nullable },
    error: { ...text, ...nullable },
    response: { ...text, ...nullable },
    latency_ms: { ...integer, ...nullable },
    started_at: timestamp,
  },
  checks: [
    check('delivery_attempts_environment', "environment in ('production', 'preview')"),
    check('delivery_attempts_outcome', "outcome in ('begun', 'delivered', 'refused', 'not_sent', 'lost')"),
  ],
  foreignKeys: [partOf('deliveries', 'delivery_attempts_delivery', 'delivery_id')],
});
