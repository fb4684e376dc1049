import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the application through which the actor of an audit line acted. */
export class AuditClient1800400001020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log add column actor_client_id text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log drop column actor_client_id');
  }
}
