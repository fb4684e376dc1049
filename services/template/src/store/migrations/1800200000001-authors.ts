import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has written drafts, the versions made from them, and the steps of modals. */
export class Authors1800200000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table template_drafts add column authors json');
    await queryRunner.query('alter table versions add column authors json');
    await queryRunner.query('alter table modals add column steps_authors json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table modals drop column steps_authors');
    await queryRunner.query('alter table versions drop column authors');
    await queryRunner.query('alter table template_drafts drop column authors');
  }
}
