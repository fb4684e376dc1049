import type { MigrationInterface, QueryRunner } from 'typeorm';

const statements = [
  `create table modals (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     operation_id uuid not null,
     name text not null,
     description text,
     title text not null,
     submit_label text,
     close_label text,
     steps json,
     current_version_id uuid,
     last_version_number integer not null,
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint modals_pkey primary key (organization_id, environment, id),
     constraint modals_operation unique (organization_id, environment, operation_id),
     constraint modals_environment check (environment in ('production', 'preview'))
   )`,
  'create index modals_created_at on modals (organization_id, environment, created_at, id)',
  'create index modals_updated_at on modals (organization_id, environment, updated_at, id)',
  `create index modals_name
     on modals (organization_id, environment, lower(name collate "und-x-icu"), id)`,
  // json, not jsonb: it preserves the order of a view's keys.
  `create table modal_versions (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     modal_id uuid not null,
     operation_id uuid not null,
     version_number integer not null,
     blocks json not null,
     placeholder_mapping json,
     sample_data json,
     status text not null,
     activation_operation_id uuid,
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint modal_versions_pkey primary key (organization_id, environment, id),
     constraint modal_versions_number unique (organization_id, environment, modal_id, version_number),
     constraint modal_versions_operation unique (organization_id, environment, operation_id),
     constraint modal_versions_counted check (version_number > 0),
     constraint modal_versions_status check (status in ('draft', 'active', 'inactive')),
     constraint modal_versions_modal foreign key (organization_id, environment, modal_id)
       references modals (organization_id, environment, id) on delete cascade
   )`,
  `create unique index modal_versions_active on modal_versions (organization_id, environment, modal_id)
     where status = 'active'`,
  `alter table modals
     add constraint modals_current_version foreign key (organization_id, environment, current_version_id)
       references modal_versions (organization_id, environment, id)`,
  `create table modal_references (
     organization_id uuid not null,
     environment text not null,
     version_id uuid not null,
     modal_id uuid not null,
     template_id uuid not null,
     constraint modal_references_pkey primary key (organization_id, environment, version_id, modal_id),
     constraint modal_references_version foreign key (organization_id, environment, version_id)
       references versions (organization_id, environment, id) on delete cascade
   )`,
  'create index modal_references_modal on modal_references (organization_id, environment, modal_id)',
  // The modals opened by existing versions. The same path may match more than once.
  `insert into modal_references (organization_id, environment, version_id, modal_id, template_id)
   select distinct organization_id, environment, id, lower(modal)::uuid, template_id
   from versions,
     jsonb_path_query(blocks::jsonb, 'lax $.**.interaction[*] ? (@.type == "open_modal").modal_id') as named,
     lateral (select named #>> '{}') as text (modal)
   where modal ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'`,
];

/** Modals with their versions, and the versions of templates that open them. */
export class Modals1795300000060 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of statements) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table modal_references, modal_versions, modals');
  }
}
