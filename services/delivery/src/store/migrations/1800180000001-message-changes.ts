import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages are followed in the order in which they change. */
export class MessageChanges1800180000001 implements MigrationInterface {
  readonly name = 'MessageChanges1800180000001';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists messages_changes');
    await queryRunner.query(
      `create index concurrently messages_changes
         on messages (organization_id, environment, updated_at, id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index messages_changes');
  }
}
