import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One draft for each template. The row stays when its draft is saved or discarded, without content: revisions go on
 * counting, so that an editor which still holds an old one cannot take a new draft for its own.
 */
export class Drafts1800090100001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table template_drafts (
         organization_id uuid not null,
         environment text not null,
         template_id uuid not null,
         revision integer not null,
         content json,
         base_version_id uuid,
         saved_version_id uuid,
         updated_by text not null,
         created_at timestamptz(3) not null,
         updated_at timestamptz(3) not null,
         constraint template_drafts_pk primary key (organization_id, environment, template_id),
         constraint template_drafts_counted check (revision > 0),
         constraint template_drafts_saved check (content is null or saved_version_id is null),
         constraint template_drafts_template foreign key (organization_id, environment, template_id)
           references templates (organization_id, environment, id) on delete cascade
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table template_drafts');
  }
}
