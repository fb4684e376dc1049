import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A policy of an organization: who may make a version live. */
export class ActivationPolicy1800190000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query("alter table organizations add column activation text not null default 'anyone'");
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table organizations drop column activation');
  }
}
