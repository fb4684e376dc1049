import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `create table destinations (
     organization_id uuid not null,
     environment text not null
       constraint destinations_environment check (environment in ('production', 'preview')),
     id uuid not null,
     operation_id uuid not null,
     name text not null,
     description text,
     url text not null,
     method text not null constraint destinations_method check (method in ('POST', 'PUT', 'PATCH')),
     header_names json not null,
     headers_ciphertext bytea not null,
     headers_key_id text not null,
     auth_type text not null
       constraint destinations_auth_type check (auth_type in ('none', 'bearer', 'basic', 'custom')),
     is_active boolean not null,
     retry_enabled boolean not null,
     max_retries integer not null,
     retry_strategy text not null
       constraint destinations_retry_strategy check (retry_strategy in ('fixed', 'linear', 'exponential')),
     retry_initial_delay_ms integer not null,
     retry_max_delay_ms integer not null,
     timeout_ms integer not null,
     consecutive_failures integer not null default 0,
     disabled_at timestamptz(3),
     secret_ciphertext bytea not null,
     secret_key_id text not null,
     previous_secret_ciphertext bytea,
     previous_secret_key_id text,
     previous_secret_until timestamptz(3),
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint destinations_pk primary key (organization_id, environment, id),
     constraint destinations_operation unique (organization_id, environment, operation_id),
     constraint destinations_previous_secret
       check (num_nulls(previous_secret_ciphertext, previous_secret_key_id, previous_secret_until) in (0, 3))
   )`,
  `create table deliveries (
     organization_id uuid not null,
     environment text not null
       constraint deliveries_environment check (environment in ('production', 'preview')),
     id uuid not null,
     operation_id uuid not null,
     destination_id uuid not null,
     origin text not null
       constraint deliveries_origin check (origin in ('batch', 'interaction', 'schedule', 'test')),
     origin_id uuid not null,
     payload text not null,
     status text not null
       constraint deliveries_status check (status in ('waiting', 'delivered', 'failed', 'unknown')),
     due_at timestamptz(3) not null,
     give_up_at timestamptz(3) not null,
     attempts integer not null default 0,
     retries integer not null default 0,
     error text,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint deliveries_pk primary key (organization_id, environment, id),
     constraint deliveries_operation unique (organization_id, environment, operation_id),
     constraint deliveries_destination foreign key (organization_id, environment, destination_id)
       references destinations (organization_id, environment, id) on delete cascade
   )`,
  `create index deliveries_of_destination
     on deliveries (organization_id, environment, destination_id, id)`,
  "create index deliveries_due_at on deliveries (due_at) where status = 'waiting'",
  "create index deliveries_updated_at on deliveries (updated_at) where status <> 'waiting'",
  `create table delivery_attempts (
     organization_id uuid not null,
     environment text not null
       constraint delivery_attempts_environment check (environment in ('production', 'preview')),
     delivery_id uuid not null,
     number integer not null,
     outcome text not null constraint delivery_attempts_outcome
       check (outcome in ('begun', 'delivered', 'refused', 'not_sent', 'lost')),
     http_status integer,
     error text,
     response text,
     latency_ms integer,
     started_at timestamptz(3) not null,
     constraint delivery_attempts_pk primary key (organization_id, environment, delivery_id, number),
     constraint delivery_attempts_delivery foreign key (organization_id, environment, delivery_id)
       references deliveries (organization_id, environment, id) on delete cascade
   )`,
];

/** Destinations, their deliveries, and each attempt. */
export class Destinations1764300100001 implements MigrationInterface {
  name = 'Destinations1764300100001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['delivery_attempts', 'deliveries', 'destinations']) {
      await queryRunner.query(`drop table ${table}`);
    }
  }
}
