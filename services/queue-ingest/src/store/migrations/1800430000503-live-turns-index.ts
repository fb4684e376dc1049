import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads to the live batches of an organization whose events are to be shown. */
export class LiveTurnsIndex1800430000503 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists batches_live_turns');
    await queryRunner.query(
      `create index concurrently batches_live_turns on batches (organization_id, live_due_at)
         where live_due_at is not null and live_operation_id is null and status = 'collecting'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index batches_live_turns');
  }
}
