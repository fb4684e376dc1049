import { createRuntimeTables, dropRuntimeTables } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  // Every row is inserted, completed and deleted once: vacuum by number instead of by share.
  `create table idempotency_records (
     organization_id uuid not null,
     environment text not null
       constraint idempotency_records_environment check (environment in ('production', 'preview')),
     operation text not null,
     key text not null,
     operation_id uuid not null constraint idempotency_records_operation unique,
     fingerprint bytea not null,
     request_id text not null,
     actor_id text not null,
     claimed_at timestamptz(3) not null,
     released_at timestamptz(3),
     completed_at timestamptz(3),
     settled boolean not null default false,
     status smallint,
     content_type text,
     retry_after integer,
     body bytea,
     expires_at timestamptz(3),
     constraint idempotency_records_pk primary key (organization_id, environment, operation, key),
     constraint idempotency_records_complete
       check (num_nulls(completed_at, status, content_type, body, expires_at) in (0, 5)),
     constraint idempotency_records_released check (released_at is null or completed_at is null)
   ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index idempotency_records_expires_at on idempotency_records (expires_at) where expires_at is not null',
  'create index idempotency_records_open on idempotency_records (claimed_at) where completed_at is null',
  // Rows live until their charges are confirmed, mostly a second.
  `create table unconfirmed_answers (
     operation_id uuid constraint unconfirmed_answers_pk primary key,
     organization_id uuid not null,
     completed_at timestamptz(3) not null
   ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
  'create index unconfirmed_answers_completed_at on unconfirmed_answers (completed_at)',
];

/** Idempotent requests and their answers; the tables that every service with a schema has. */
export class Idempotency1764200000010 implements MigrationInterface {
  readonly name = 'Idempotency1764200000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table unconfirmed_answers, idempotency_records');
    await dropRuntimeTables(queryRunner);
  }
}
