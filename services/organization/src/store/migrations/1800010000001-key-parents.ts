import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key that created a key. Processes of the previous version leave it null. */
export class KeyParents1800010000001 implements MigrationInterface {
  name = 'KeyParents1800010000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys add column parent_id uuid');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table api_keys drop column parent_id');
  }
}
