import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How often a batch was delivered again without a person's word. Processes of the previous version leave it at 0. */
export class Reposts1800150000022 implements MigrationInterface {
  readonly name = 'Reposts1800150000022';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table batches add column reposts integer not null default 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table batches drop column reposts');
  }
}
