import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An account remembers that its owners were told of few credits. */
export class LowCredits1800150000003 implements MigrationInterface {
  readonly name = 'LowCredits1800150000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table credit_accounts add column low_since timestamptz(3)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table credit_accounts drop column low_since');
  }
}
