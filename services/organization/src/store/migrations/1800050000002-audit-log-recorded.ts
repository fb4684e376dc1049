import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log in the order in which its entries were written, for exports. */
export class AuditLogRecorded1800050000002 implements MigrationInterface {
  name = 'AuditLogRecorded1800050000002';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // An interrupted attempt leaves an invalid index behind.
    await queryRunner.query('drop index concurrently if exists audit_log_recorded');
    await queryRunner.query(
      'create index concurrently audit_log_recorded on audit_log (organization_id, recorded_at, id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index audit_log_recorded');
  }
}
