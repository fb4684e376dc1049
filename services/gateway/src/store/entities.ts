import { nullable, timestamp } from '@stanza/runtime/columns';
import { EntitySchema } from 'typeorm';
import type { IdempotencyRow, MaintenanceRow, RateCounterRow, UnconfirmedAnswerRow } from './rows.ts';

const recordKey = { primary: true, primaryKeyConstraintName: 'idempotency_records_pk' } as const;

/** See {@link IdempotencyRow}. */
export const idempotencyRecordEntity = new EntitySchema<IdempotencyRow>({
  name: 'idempotency_records',
  columns: {
    organization_id: { type: 'uuid', ...recordKey },
    environment: { type: 'text', ...recordKey },
    operation: { type: 'text', ...recordKey },
    key: { type: 'text', ...recordKey },
    operation_id: { type: 'uuid' },
    fingerprint: { type: 'bytea' },
    request_id: { type: 'text' },
    actor_id: { type: 'text' },
    claimed_at: timestamp,
    released_at: { ...timestamp, ...nullable },
    completed_at: { ...timestamp, ...nullable },
    settled: { type: 'boolean', default: false },
    status: { type: 'smallint', ...nullable },
    content_type: { type: 'text', ...nullable },
    retry_after: { type: 'integer', ...nullable },
    body: { type: 'bytea', ...nullable },
    expires_at: { ...timestamp, ...nullable },
  },
  checks: [
    { name: 'idempotency_records_environment', expression: "environment in ('production', 'preview')" },
    {
      name: 'idempotency_records_complete',
      expression: 'num_nulls(completed_at, status, content_type, body, expires_at) in (0, 5)',
    },
    {
      name: 'idempotency_records_released',
      expression: 'released_at is null or completed_at is null',
    },
  ],
  uniques: [{ name: 'idempotency_records_operation', columns: ['operation_id'] }],
  indices: [
    { name: 'idempotency_records_expires_at', columns: ['expires_at'], where: 'expires_at is not null' },
    { name: 'idempotency_records_open', columns: ['claimed_at'], where: 'completed_at is null' },
  ],
});

/** See {@link UnconfirmedAnswerRow}. */
export const unconfirmedAnswerEntity = new EntitySchema<UnconfirmedAnswerRow>({
  name: 'unconfirmed_answers',
  columns: {
    operation_id: { type: 'uuid', primary: true, primaryKeyConstraintName: 'unconfirmed_answers_pk' },
    organization_id: { type: 'uuid' },
    completed_at: timestamp,
  },
  indices: [{ name: 'unconfirmed_answers_completed_at', columns: ['completed_at'] }],
});

const counterKey = { primary: true, primaryKeyConstraintName: 'rate_counters_pk' } as const;

/** See {@link RateCounterRow}. */
export const rateCounterEntity = new EntitySchema<RateCounterRow>({
  name: 'rate_counters',
  columns: {
    organization_id: { type: 'uuid', ...counterKey },
    rate: { type: 'text', ...counterKey },
    newest: { type: 'bigint' },
    counts: { type: 'integer', array: true },
    granted: { type: 'integer' },
  },
});

/** See {@link MaintenanceRow}. */
export const maintenanceEntity = new EntitySchema<MaintenanceRow>({
  name: 'maintenance',
  columns: {
    id: { type: 'boolean', primary: true, primaryKeyConstraintName: 'maintenance_pk' },
    is_on: { type: 'boolean' },
    message: { type: 'text', ...nullable },
    retry_after: { type: 'integer' },
    since: { ...timestamp, ...nullable },
  },
  checks: [{ name: 'maintenance_one_row', expression: 'id' }],
});

/** All entities of the service. */
export const entities: readonly EntitySchema[] = [
  idempotencyRecordEntity,
  unconfirmedAnswerEntity,
  rateCounterEntity,
  maintenanceEntity,
];
