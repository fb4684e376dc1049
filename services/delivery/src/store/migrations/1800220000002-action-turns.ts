import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations take turns at actions of interactions, so their backlogs are read one by one. */
export class ActionTurns1800220000002 implements MigrationInterface {
  readonly name = 'ActionTurns1800220000002';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists interaction_actions_turns');
    await queryRunner.query(
      `create index concurrently interaction_actions_turns
         on interaction_actions (organization_id, due_at) where status = 'waiting'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index interaction_actions_turns');
  }
}
