import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log in the order in which its lines were written, for those who follow it. */
export class AuditLogRecorded1800050000002 implements MigrationInterface {
  name = 'AuditLogRecorded1800050000002';
  /** An index is built beside running writers outside of a transaction alone. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // What an attempt that was broken off has left is invalid, and in the way.
    await queryRunner.query('drop index concurrently if exists audit_log_recorded');
    await queryRunner.query(
      'create index concurrently audit_log_recorded on audit_log (organization_id, recorded_at, id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index audit_log_recorded');
  }
}
