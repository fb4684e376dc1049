import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a template that is in service again had been archived, for the answer of unarchive, given twice too. */
export class LastArchived1800060000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table templates add column last_archived_at timestamptz(3)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table templates drop column last_archived_at');
  }
}
