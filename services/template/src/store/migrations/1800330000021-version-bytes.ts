import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes of the versions of templates of an organization are summed up from an index: the rows are many, and wide. */
export class VersionBytes1800330000021 implements MigrationInterface {
  readonly name = 'VersionBytes1800330000021';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists versions_bytes');
    await queryRunner.query('create index concurrently versions_bytes on versions (organization_id, bytes)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index versions_bytes');
  }
}
