import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A batch keeps the trace of the push that began it, for a closing by the job. */
export class Traces1795219500000 implements MigrationInterface {
  name = 'Traces1795219500000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table batches add column traceparent text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table batches drop column traceparent');
  }
}
