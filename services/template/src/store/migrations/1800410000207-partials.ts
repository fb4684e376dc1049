import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets a template be a partial, and keeps which versions use which. */
export class Partials1800410000207 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table templates add column kind text not null default 'template'");
    await runner.query(`
      create table partial_uses (
        organization_id uuid not null, environment text not null, version_id uuid not null,
        partial_id uuid not null, partial_version integer not null, template_id uuid not null,
        constraint partial_uses_pk primary key (organization_id, environment, version_id, partial_id, partial_version),
        constraint partial_uses_version foreign key (organization_id, environment, version_id)
          references versions (organization_id, environment, id) on delete cascade,
        constraint partial_uses_of foreign key (organization_id, environment, partial_id)
          references templates (organization_id, environment, id) on delete cascade
      )`);
    await runner.query(
      'create index partial_uses_partial on partial_uses (organization_id, environment, partial_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table partial_uses');
    await runner.query('alter table templates drop column kind');
  }
}
