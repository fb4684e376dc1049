import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `create table entities (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     operation_id uuid not null,
     name text not null,
     description text,
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint entities_pkey primary key (organization_id, environment, id),
     constraint entities_operation unique (organization_id, environment, operation_id),
     constraint entities_environment check (environment in ('production', 'preview'))
   )`,
  'create index entities_created_at on entities (organization_id, environment, created_at, id)',
  'create index entities_updated_at on entities (organization_id, environment, updated_at, id)',
  `create unique index entities_name
     on entities (organization_id, environment, lower(name collate "und-x-icu"))`,
  `create table entity_fields (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     operation_id uuid not null,
     entity_id uuid not null,
     parent_field_id uuid,
     name text not null,
     label text,
     type text not null,
     description text,
     required boolean not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint entity_fields_pkey primary key (organization_id, environment, id),
     constraint entity_fields_operation unique (organization_id, environment, operation_id),
     constraint entity_fields_name
       unique nulls not distinct (organization_id, environment, entity_id, parent_field_id, name),
     constraint entity_fields_type check (type in ('string', 'number', 'boolean', 'date', 'array', 'object')),
     constraint entity_fields_entity foreign key (organization_id, environment, entity_id)
       references entities (organization_id, environment, id) on delete cascade,
     constraint entity_fields_parent_field foreign key (organization_id, environment, parent_field_id)
       references entity_fields (organization_id, environment, id) on delete cascade
   )`,
  'create index entity_fields_parent on entity_fields (organization_id, environment, parent_field_id)',
  `create table sample_data (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     operation_id uuid not null,
     name text not null,
     description text,
     data json not null,
     template_id uuid,
     entity_id uuid,
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint sample_data_pkey primary key (organization_id, environment, id),
     constraint sample_data_operation unique (organization_id, environment, operation_id),
     constraint sample_data_environment check (environment in ('production', 'preview')),
     constraint sample_data_template_fkey foreign key (organization_id, environment, template_id)
       references templates (organization_id, environment, id) on delete set null (template_id),
     constraint sample_data_entity_fkey foreign key (organization_id, environment, entity_id)
       references entities (organization_id, environment, id)
   )`,
  'create index sample_data_created_at on sample_data (organization_id, environment, created_at, id)',
  'create index sample_data_updated_at on sample_data (organization_id, environment, updated_at, id)',
  `create index sample_data_template
     on sample_data (organization_id, environment, template_id, created_at, id)`,
  'create index sample_data_entity on sample_data (organization_id, environment, entity_id, created_at, id)',
  `create index sample_data_name
     on sample_data (organization_id, environment, lower(name collate "und-x-icu"), id)`,
  `alter table versions
     add column entity_id uuid,
     add constraint versions_entity_fkey foreign key (organization_id, environment, entity_id)
       references entities (organization_id, environment, id)`,
  `create index versions_entity on versions (organization_id, environment, entity_id)
     where entity_id is not null`,
];

/** Entities with their fields, sample data, and the entity of a version. */
export class Entities1795300000051 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table versions drop column entity_id');
    await queryRunner.query('drop table sample_data, entity_fields, entities');
  }
}
