import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Marks the messages of test sends. Those that processes of the previous version write are none. */
export class TestMessages1800150000010 implements MigrationInterface {
  readonly name = 'TestMessages1800150000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages add column test boolean not null default false');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages drop column test');
  }
}
