import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations take turns at lookups of unknown messages, so their backlogs are read one by one. */
export class LookupTurns1800230000001 implements MigrationInterface {
  readonly name = 'LookupTurns1800230000001';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists messages_lookup_turns');
    await queryRunner.query(
      `create index concurrently messages_lookup_turns
         on messages (organization_id, lookup_due_at) where lookup_due_at is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index messages_lookup_turns');
  }
}
