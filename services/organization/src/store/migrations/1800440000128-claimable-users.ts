import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells users whom an operator has named from those that an organization's identity provider has. */
export class ClaimableUsers1800440000128 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table users add column claimable boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table users drop column claimable');
  }
}
