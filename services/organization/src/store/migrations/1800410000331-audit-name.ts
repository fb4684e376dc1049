import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps who ran the command of an operator. */
export class AuditName1800410000331 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log add column actor_name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log drop column actor_name');
  }
}
