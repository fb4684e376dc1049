import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A reversed charge may be made again: each attempt is unique, and so is its reversal. */
export class ChargeAttempts1764200000012 implements MigrationInterface {
  name = 'ChargeAttempts1764200000012';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table credit_log add column attempt integer not null default 0');
    await queryRunner.query('alter table credit_log drop constraint credit_log_once');
    await queryRunner.query(
      `alter table credit_log
       add constraint credit_log_once unique (organization_id, operation_id, item, kind, attempt)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    // Later attempts stay in the ledger: charges and refunds cannot be expressed with fewer rows.
    await queryRunner.query('alter table credit_log drop constraint credit_log_once');
    await queryRunner.query('alter table credit_log drop column attempt');
    await queryRunner.query(
      `alter table credit_log
       add constraint credit_log_once unique (organization_id, operation_id, item, kind)`,
    );
  }
}
