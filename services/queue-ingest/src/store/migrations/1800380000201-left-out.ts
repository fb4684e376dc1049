import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the digest of a batch leaves out. Processes of the previous version leave it null. */
export class LeftOut1800380000201 implements MigrationInterface {
  readonly name = 'LeftOut1800380000201';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table batches add column left_out json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table batches drop column left_out');
  }
}
