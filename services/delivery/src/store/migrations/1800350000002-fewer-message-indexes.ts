import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes that nothing reads: a charge leads to its message by its moment, and a key by the first of an operation. */
const indexes = {
  messages_credit_log: 'messages (organization_id, environment, credit_log_id)',
  messages_key_digest: 'messages (organization_id, environment, key_digest, id) where key_digest is not null',
} as const;

/** Each message is in the four indexes that are left, and the first of a keyed operation in one more. */
export class FewerMessageIndexes1800350000002 implements MigrationInterface {
  readonly name = 'FewerMessageIndexes1800350000002';
  /** An index is dropped concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(indexes))
      await queryRunner.query(`drop index concurrently if exists ${name}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(indexes))
      await queryRunner.query(`create index if not exists ${name} on ${definition}`);
  }
}
