import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An idempotency key leads to the first message of each of its operations, and that to the others. */
export class KeyedOperations1800350000001 implements MigrationInterface {
  readonly name = 'KeyedOperations1800350000001';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists messages_keyed');
    await queryRunner.query(
      `create index concurrently messages_keyed on messages (organization_id, environment, key_digest)
         where key_digest is not null and item = 0`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index messages_keyed');
  }
}
