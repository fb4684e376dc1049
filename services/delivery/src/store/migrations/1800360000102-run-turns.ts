import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations take turns at due runs of schedules, so their backlogs are read one by one. */
export class RunTurns1800360000102 implements MigrationInterface {
  readonly name = 'RunTurns1800360000102';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists scheduled_messages_turns');
    await queryRunner.query(
      `create index concurrently scheduled_messages_turns
         on scheduled_messages (organization_id, next_run_at) where status = 'active'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index scheduled_messages_turns');
  }
}
