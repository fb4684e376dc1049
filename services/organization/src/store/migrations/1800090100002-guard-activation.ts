import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A policy of an organization: an activation with which stored data breaks must say that it accepts that. */
export class GuardActivation1800090100002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table organizations add column guard_activation boolean not null default false',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table organizations drop column guard_activation');
  }
}
