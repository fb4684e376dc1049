import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks destinations that are being deleted, so that nothing new refers to them. */
export class DeletingDestinations1800400002003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table destinations add column deleting_at timestamptz(3)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table destinations drop column deleting_at');
  }
}
