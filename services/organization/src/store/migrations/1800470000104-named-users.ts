import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells which organization has named a person who has not signed in, so that no other one reads the name. */
export class NamedUsers1800470000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table users add column named_by uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table users drop column named_by');
  }
}
