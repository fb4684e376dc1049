import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads to the live batch whose events are to be shown first. */
export class LiveDueIndex1800430000502 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists batches_live_due');
    await queryRunner.query(
      `create index concurrently batches_live_due on batches (live_due_at)
         where live_due_at is not null and live_operation_id is null and status = 'collecting'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index batches_live_due');
  }
}
