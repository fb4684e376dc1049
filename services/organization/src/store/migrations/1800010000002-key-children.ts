import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index of the keys that a key has created. */
export class KeyChildren1800010000002 implements MigrationInterface {
  name = 'KeyChildren1800010000002';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists api_keys_children');
    await queryRunner.query(
      'create index concurrently api_keys_children on api_keys (organization_id, parent_id) where parent_id is not null',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index api_keys_children');
  }
}
