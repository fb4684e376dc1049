import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the id that Stanza gave to the request of an entry of the audit log, next to the one of its client. */
export class AuditOperation1800420000771 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log add column operation_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_log drop column operation_id');
  }
}
