import { createRuntimeTables, dropRuntimeTables } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `create table templates (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     operation_id uuid not null,
     name text not null,
     description text,
     type text not null,
     user_name text,
     icon_emoji text,
     fallback_text text,
     current_version_id uuid,
     current_version_number integer,
     last_version_number integer not null,
     activation_count integer not null default 0,
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     archived_at timestamptz(3),
     constraint templates_pkey primary key (organization_id, environment, id),
     constraint templates_operation unique (organization_id, environment, operation_id),
     constraint templates_environment check (environment in ('production', 'preview')),
     constraint templates_live_number check ((current_version_id is null) = (current_version_number is null))
   )`,
  'create index templates_created_at on templates (organization_id, environment, created_at, id)',
  'create index templates_updated_at on templates (organization_id, environment, updated_at, id)',
  `create index templates_name
     on templates (organization_id, environment, lower(name collate "und-x-icu"), id)`,
  // json, not jsonb: it preserves the order of a message's keys.
  `create table versions (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     template_id uuid not null,
     operation_id uuid not null,
     version_number integer not null,
     blocks json not null,
     sample_data json,
     request_format json not null,
     note text,
     created_by text not null,
     created_at timestamptz(3) not null,
     first_live_at timestamptz(3),
     constraint versions_pkey primary key (organization_id, environment, id),
     constraint versions_number unique (organization_id, environment, template_id, version_number),
     constraint versions_operation unique (organization_id, environment, operation_id),
     constraint versions_counted check (version_number > 0),
     constraint versions_template foreign key (organization_id, environment, template_id)
       references templates (organization_id, environment, id) on delete cascade
   )`,
  `alter table templates
     add constraint templates_current_version foreign key (organization_id, environment, current_version_id)
       references versions (organization_id, environment, id)`,
  `create table activations (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     template_id uuid not null,
     operation_id uuid not null,
     activation_number integer not null,
     version_id uuid not null,
     version_number integer not null,
     previous_version_id uuid,
     activated_by text not null,
     source text not null,
     note text,
     created_at timestamptz(3) not null,
     constraint activations_pkey primary key (organization_id, environment, id),
     constraint activations_number unique (organization_id, environment, template_id, activation_number),
     constraint activations_operation unique (organization_id, environment, operation_id),
     constraint activations_counted check (activation_number > 0),
     constraint activations_source check (source in ('web', 'api', 'migration')),
     constraint activations_template foreign key (organization_id, environment, template_id)
       references templates (organization_id, environment, id) on delete cascade
   )`,
];

/** Templates, their versions, and the log of activations. */
export class Templates1795219200000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
    await createRuntimeTables(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropRuntimeTables(queryRunner);
    await queryRunner.query('drop table activations, versions, templates');
  }
}
