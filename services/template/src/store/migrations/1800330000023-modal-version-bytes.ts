import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes of the versions of modals of an organization are summed up from an index: the rows are many, and wide. */
export class ModalVersionBytes1800330000023 implements MigrationInterface {
  readonly name = 'ModalVersionBytes1800330000023';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists modal_versions_bytes');
    await queryRunner.query(
      'create index concurrently modal_versions_bytes on modal_versions (organization_id, bytes)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index modal_versions_bytes');
  }
}
