import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations take turns at closing batches, so their due batches are read one by one. */
export class ClosingTurns1800360000001 implements MigrationInterface {
  readonly name = 'ClosingTurns1800360000001';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists batches_turns');
    await queryRunner.query(
      `create index concurrently batches_turns
         on batches (organization_id, window_end) where closed_at is null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index batches_turns');
  }
}
