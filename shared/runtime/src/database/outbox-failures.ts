import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Has the outbox of a service count unexpected errors; each service extends it under a name of its own. */
export class OutboxFailures implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table outbox add column failures integer not null default 0');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table outbox drop column failures');
  }
}
