import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes of the pieces of sample data of an organization are summed up from an index: the rows are many, and wide. */
export class SampleDataBytes1800330000022 implements MigrationInterface {
  readonly name = 'SampleDataBytes1800330000022';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists sample_data_bytes');
    await queryRunner.query(
      'create index concurrently sample_data_bytes on sample_data (organization_id, bytes)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index sample_data_bytes');
  }
}
