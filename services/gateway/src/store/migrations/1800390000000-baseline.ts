import { Baseline, createRuntimeTables, vacuumInbox } from '@stanza/runtime';
import type { QueryRunner } from 'typeorm';

const tables = `
  create table idempotency_records (
    organization_id uuid not null, environment text not null, operation text not null, key text not null,
    operation_id uuid not null, fingerprint bytea not null, request_id text not null, actor_id text not null,
    claimed_at timestamptz(3) not null, released_at timestamptz(3), completed_at timestamptz(3),
    settled boolean not null default false, status smallint, content_type text, retry_after integer,
    body bytea, expires_at timestamptz(3),
    constraint idempotency_records_pk primary key (organization_id, environment, operation, key),
    constraint idempotency_records_operation unique (operation_id),
    constraint idempotency_records_environment check (environment in ('production', 'preview')),
    constraint idempotency_records_complete check (num_nulls(completed_at, status, content_type, body, expires_at) in (0, 5)),
    constraint idempotency_records_released check ((released_at is null) or (completed_at is null))
  ) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
  create table unconfirmed_answers (
    operation_id uuid not null, organization_id uuid not null, completed_at timestamptz(3) not null,
    constraint unconfirmed_answers_pk primary key (operation_id)
  ) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
  create table rate_counters (
    organization_id uuid not null, rate text not null, newest bigint not null, counts integer[] not null,
    granted integer not null,
    constraint rate_counters_pk primary key (organization_id, rate)
  ) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
  create table maintenance (
    id boolean not null, is_on boolean not null, message text, retry_after integer not null,
    since timestamptz(3),
    constraint maintenance_pk primary key (id),
    constraint maintenance_one_row check (id)
  );
  create table console_sessions (
    digest bytea not null, key_digest text, subject text, email text, email_verified boolean not null,
    refresh_token bytea, refresh_key_id text, created_at timestamptz(3) not null,
    seen_at timestamptz(3) not null, expires_at timestamptz(3) not null,
    vouched_until timestamptz(3) not null, renewing_until timestamptz(3),
    constraint console_sessions_pk primary key (digest),
    constraint console_sessions_holder check (num_nonnulls(key_digest, subject) = 1),
    constraint console_sessions_sealed check (num_nonnulls(refresh_token, refresh_key_id) in (0, 2))
  );
  create table console_assets (
    path text not null, content bytea not null, kept_at timestamptz(3) not null,
    constraint console_assets_pk primary key (path)
  );

  create index idempotency_records_expires_at on idempotency_records (expires_at) where expires_at is not null;
  create index idempotency_records_open on idempotency_records (claimed_at) where completed_at is null;
  create index unconfirmed_answers_completed_at on unconfirmed_answers (completed_at);
  create index console_sessions_expires_at on console_sessions (expires_at);
  create index console_sessions_seen_at on console_sessions (seen_at);
  create index console_sessions_key on console_sessions (key_digest);
  create index console_sessions_subject on console_sessions (subject);
`;

/** The schema of release 0.1.0: idempotency, rates, maintenance and sessions of the console. */
export class Baseline1800390000000 extends Baseline {
  readonly name = 'Baseline1800390000000';

  readonly fingerprint = 'b3a826c49a94b3ea8600e57fb90926a9';

  readonly replaces = `
    Idempotency1764200000010 Rates1764200000020 Maintenance1764200000021 ConsoleSessions1795900000010
    ConsoleAssets1800320000010 InboxVacuum1800360000005`;

  async make(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    await vacuumInbox(queryRunner);
    await queryRunner.query(tables);
  }
}
