import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages store the digest of their request's idempotency key. */
export class KeyDigests1764200000011 implements MigrationInterface {
  name = 'KeyDigests1764200000011';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages add column key_digest text');
    await queryRunner.query(
      `create index messages_key_digest on messages (organization_id, environment, key_digest, id)
       where key_digest is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages drop column key_digest');
  }
}
