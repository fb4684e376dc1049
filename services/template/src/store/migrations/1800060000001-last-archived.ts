import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When an unarchived template had been archived, for the answer of unarchive, also when repeated. In a table of its
 * own: another column would change the result of the previous version's prepared `select *`, which Postgres refuses.
 */
export class LastArchived1800060000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table template_archivals (
         organization_id uuid not null,
         environment text not null,
         template_id uuid not null,
         last_archived_at timestamptz(3) not null,
         constraint template_archivals_pk primary key (organization_id, environment, template_id),
         constraint template_archivals_template foreign key (organization_id, environment, template_id)
           references templates (organization_id, environment, id) on delete cascade
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table template_archivals');
  }
}
